package dev.exactlyonce.it;

import dev.exactlyonce.Delivery;
import dev.exactlyonce.ExactlyOnce;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ResourceContext;
import jakarta.ws.rs.core.Context;

/** Sub-resources, on the ways on which users reach them. */
public final class SubResources {
    private SubResources() {}

    @RequestScoped
    @ExactlyOnce("demo")
    public static class Hooks {
        @Inject
        Delivery delivery;

        @Inject
        Instance<Hooks> again;

        @POST
        public String receive(String body) {
            return delivery.key();
        }

        @POST
        @Path("/events")
        public String event(String body) {
            return delivery.key();
        }

        @Path("/again/{depth}")
        public Hooks again() {
            return again.get();
        }
    }

    /** Reached through {@link Orders} alone, whose path names the tenant. */
    @RequestScoped
    public static class TenantHooks {
        @Inject
        Delivery delivery;

        @POST
        @ExactlyOnce(
                value = "demo",
                key = {"path:tenant", "header:Idempotency-Key"})
        public String receive(String body) {
            return delivery.key();
        }

        @POST
        @Path("/of")
        @ExactlyOnce("{tenant}")
        public String ofItsSource(String body) {
            return delivery.source();
        }
    }

    @Path("/orders")
    @RequestScoped
    public static class Orders {
        @Inject
        Hooks hooks;

        @Inject
        TenantHooks ofATenant;

        @Context
        ResourceContext context;

        @Path("/hooks")
        public Hooks hooks() {
            return hooks;
        }

        @Path("/{tenant: [a-z]+}/hooks")
        public TenantHooks tenant() {
            return ofATenant;
        }

        @Path("/class")
        public Class<Hooks> hooksClass() {
            return Hooks.class;
        }

        @Path("/made")
        public Hooks made() {
            return context.getResource(Hooks.class);
        }

        @Path("/open")
        public Object open() {
            return hooks;
        }

        @Path("/plain")
        public Between between() {
            return new Between(hooks);
        }
    }

    /** Made by hand: what it leads to is not. */
    public static final class Between {
        private final Hooks hooks;

        Between(Hooks hooks) {
            this.hooks = hooks;
        }

        @Path("/{way}")
        public Hooks hooks() {
            return hooks;
        }
    }

    @Path("/billing")
    @RequestScoped
    public static class Billing {
        @Inject
        Hooks hooks;

        @Path("/hooks")
        public Hooks hooks() {
            return hooks;
        }
    }

    /** Where a method of {@link Hooks} would be, if its locators did not count. */
    @Path("/events")
    @RequestScoped
    public static class Events {
        @Inject
        Delivery delivery;

        @POST
        @ExactlyOnce("demo")
        public String receive(String body) {
            return delivery.key();
        }
    }

    public interface Receiver<T> {
        @POST
        @Path("/{id}")
        String receive(T body);

        @POST
        default String receiveAny(T body) {
            return "ok";
        }
    }

    @Path("/generic")
    @RequestScoped
    @ExactlyOnce(
            value = "demo",
            key = {"header:Idempotency-Key"})
    public static class GenericReceiver implements Receiver<String> {
        @Override
        public String receive(String body) {
            return "ok";
        }
    }
}

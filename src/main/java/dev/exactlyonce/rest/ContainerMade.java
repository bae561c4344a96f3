package dev.exactlyonce.rest;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Distinguishes an instance that a CDI container made, and can intercept, from one that was made by hand. */
public final class ContainerMade {
    /** Weld's and OpenWebBeans' marks on the classes that they generate. */
    private static final List<String> MARKS = List.of("org.jboss.weld.", "org.apache.webbeans.");

    private static final ClassValue<Boolean> CACHE = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            for (Class<?> mark : type.getInterfaces()) {
                if (MARKS.stream().anyMatch(mark.getName()::startsWith)) {
                    return true;
                }
            }
            return false;
        }
    };

    /** The method of Weld's client proxies that leads to the instance behind them; nothing for any other class. */
    private static final ClassValue<Optional<Method>> METADATA = new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
            for (Class<?> mark : type.getInterfaces()) {
                if (mark.getName().equals("org.jboss.weld.proxy.WeldClientProxy")) {
                    return Arrays.stream(mark.getMethods())
                            .filter(it -> it.getName().equals("getMetadata"))
                            .findFirst();
                }
            }
            return Optional.empty();
        }
    };

    /** The method of that metadata which gives the instance. */
    private static final ClassValue<Optional<Method>> BEHIND = new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
            try {
                return Optional.of(type.getMethod("getContextualInstance"));
            } catch (NoSuchMethodException unknown) {
                return Optional.empty();
            }
        }
    };

    private ContainerMade() {}

    /** The class that the container made this one of; any other class is its own. */
    public static Class<?> beanClass(Class<?> type) {
        Class<?> bean = type;
        while (CACHE.get(bean) && bean.getSuperclass() != null && bean.getSuperclass() != Object.class) {
            bean = bean.getSuperclass();
        }
        return bean;
    }

    public static boolean is(Object instance) {
        return CACHE.get(instance.getClass()) && isIntercepted(instance);
    }

    /** A client proxy is always the container's; what is behind it may be a producer's own, which is not intercepted. */
    private static boolean isIntercepted(Object instance) {
        Optional<Method> metadata = METADATA.get(instance.getClass());
        if (metadata.isEmpty()) {
            return true;
        }
        try {
            Object proxied = metadata.get().invoke(instance);
            Optional<Method> behind = BEHIND.get(proxied.getClass());
            return behind.isPresent() && is(behind.get().invoke(proxied));
        } catch (ReflectiveOperationException unknown) {
            return false;
        }
    }
}

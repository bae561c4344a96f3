package dev.exactlyonce.deploy;

import dev.exactlyonce.rest.Hierarchy;
import dev.exactlyonce.rest.ResourceClass;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Default;
import jakarta.enterprise.inject.Typed;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Named;
import jakarta.ws.rs.Path;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is wrong with a bound class as a whole: JAX-RS would not serve it, or not get it from CDI, or commit too late. */
final class BeanFaults {
    /** Beside these, a bean has the qualifier Default; beside another, it has not. */
    private static final Set<Class<?>> BESIDE_DEFAULT = Set.of(Any.class, Named.class);

    private final BeanManager beans;
    private final ResourcePaths ways;
    private final BindingFaults faults;

    BeanFaults(BeanManager beans, ResourcePaths ways, BindingFaults faults) {
        this.beans = beans;
        this.ways = ways;
        this.faults = faults;
    }

    /**
     * Adds the first fault there is.
     *
     * @return whether there is one
     */
    boolean find(AnnotatedType<?> bean, boolean containerTransactions) {
        Class<?> type = bean.getJavaClass();
        Typed typed = bean.getAnnotation(Typed.class);
        Optional<Annotation> qualifier = qualifier(bean);
        if (!ResourceClass.isResource(type)) {
            faults.add(type, "is not a JAX-RS resource; for other work inject ExactlyOnceRunner");
        } else if (typed != null && !List.of(typed.value()).contains(type)) {
            faults.add(
                    type,
                    "is @Typed without its own class: JAX-RS could not get it from CDI, or Weld would make the other type"
                            + " in its place, unadmitted; add " + type.getSimpleName() + ".class to @Typed");
        } else if (qualifier.isPresent() && ResourceClass.isRoot(type)) {
            faults.add(
                    type,
                    "has the qualifier @" + qualifier.get().annotationType().getSimpleName()
                            + ", so JAX-RS does not get it from CDI and nothing would admit its deliveries; add @Default"
                            + " to the class, or remove the qualifier");
        } else if (containerTransactions) {
            faults.add(
                    type,
                    "is a session bean with container transactions: the record would be written before the commit;"
                            + " make it a CDI bean with @Transactional methods, or @TransactionManagement(BEAN)");
        } else if (isServedByNobody(type)) {
            faults.add(
                    type,
                    "has its @Path on " + pathHolder(type) + ", from which JAX-RS does not inherit it; put @Path on the"
                            + " class itself");
        } else {
            return false;
        }
        return true;
    }

    /** A qualifier that keeps the bean from being the default one. */
    private Optional<Annotation> qualifier(AnnotatedType<?> bean) {
        if (bean.isAnnotationPresent(Default.class)) {
            return Optional.empty();
        }
        return bean.getAnnotations().stream()
                .filter(it -> beans.isQualifier(it.annotationType()))
                .filter(it -> !BESIDE_DEFAULT.contains(it.annotationType()))
                .findFirst();
    }

    private boolean isServedByNobody(Class<?> type) {
        return !ResourceClass.isRoot(type)
                && ResourceClass.path(type).isPresent()
                && ways.possible(type).isEmpty();
    }

    private static String pathHolder(Class<?> type) {
        return Hierarchy.of(type)
                .filter(it -> it.isAnnotationPresent(Path.class))
                .findFirst()
                .map(Class::getSimpleName)
                .orElse("another type");
    }
}

package dev.exactlyonce.rest;

import java.util.List;

/** Tells an instance that a CDI container made, and can intercept, from one that was made by hand. */
final class ContainerMade {
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

    private ContainerMade() {}

    static boolean is(Object instance) {
        return CACHE.get(instance.getClass());
    }
}

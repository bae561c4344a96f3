package dev.exactlyonce.deploy;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with bindings: each names the place, the fault and the way out. */
final class BindingFaults {
    private final List<String> all = new ArrayList<>();

    List<String> all() {
        return all;
    }

    void add(Class<?> type, String what) {
        all.add("@ExactlyOnce: " + type.getName() + " " + what);
    }

    void add(Method method, String what) {
        all.add("@ExactlyOnce: " + name(method) + " " + what);
    }

    static String name(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }
}

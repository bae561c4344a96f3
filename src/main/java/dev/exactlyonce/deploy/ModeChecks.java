package dev.exactlyonce.deploy;

import dev.exactlyonce.Mode;
import dev.exactlyonce.admission.SourcePolicy;
import dev.exactlyonce.common.KebabCase;
import dev.exactlyonce.rest.Binding;
import dev.exactlyonce.source.Sources;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Whether every bound method has a mode that this version has: in another one its deliveries would run in the wrong way. */
final class ModeChecks {
    private static final Set<Mode> AVAILABLE = EnumSet.of(Mode.INLINE, Mode.TRANSACTIONAL);

    private ModeChecks() {}

    /** @param store the name of the application's store */
    static void find(Map<Class<?>, Map<Method, Binding>> bound, Sources sources, String store, BindingFaults faults) {
        bound.forEach((type, methods) -> methods.forEach((method, binding) -> {
            check(method, binding, sources, faults);
            policies(binding, sources)
                    .filter(it -> it.mode() == Mode.TRANSACTIONAL)
                    .flatMap(it -> TransactionalChecks.fault(type, method, it, store).stream())
                    .forEach(it -> faults.add(method, "has mode=transactional and " + it));
        }));
    }

    private static Stream<SourcePolicy> policies(Binding binding, Sources sources) {
        Set<String> names = binding.sourceParameter().isPresent() ? sources.names() : Set.of(binding.source());
        return names.stream()
                .flatMap(it -> sources.find(it).stream())
                .map(it -> it.policy().withMode(binding.mode()));
    }

    private static void check(Method method, Binding binding, Sources sources, BindingFaults faults) {
        policies(binding, sources)
                .filter(it -> !AVAILABLE.contains(it.mode()))
                .forEach(it -> faults.add(method, fault(binding, it)));
    }

    private static String fault(Binding binding, SourcePolicy policy) {
        String where = binding.mode() == Mode.SOURCE
                ? "exactlyonce.source." + policy.name() + ".mode"
                : "the annotation for source " + policy.name();
        return "has mode=" + KebabCase.of(policy.mode()) + " (" + where
                + "), which is not available yet in this version; allowed: inline, transactional";
    }
}

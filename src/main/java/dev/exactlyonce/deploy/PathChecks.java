package dev.exactlyonce.deploy;

import dev.exactlyonce.ExactlyOnce;
import dev.exactlyonce.OneAtATime;
import dev.exactlyonce.rest.Binding;
import dev.exactlyonce.source.KeyExpressions;
import dev.exactlyonce.source.SessionExpressions;
import dev.exactlyonce.source.Sources;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Whether the path parameters that bindings name are there, and their sources' names. */
final class PathChecks {
    private final BindingFaults faults;
    private final Set<String> literals = new TreeSet<>();

    PathChecks(BindingFaults faults) {
        this.faults = faults;
    }

    /** The sources that annotations name. */
    Set<String> literals() {
        return literals;
    }

    Optional<KeyExpressions> keys(ExactlyOnce annotation, Method method, MethodAddresses addresses) {
        if (annotation.key().length == 0) {
            return Optional.empty();
        }
        try {
            KeyExpressions keys = KeyExpressions.parse(List.of(annotation.key()), false);
            for (String parameter : keys.pathParameters()) {
                addresses
                        .lacks(parameter)
                        .ifPresent(it -> faults.add(method, "has a key of path:" + parameter + ", " + it));
            }
            return Optional.of(keys);
        } catch (IllegalArgumentException e) {
            faults.add(method, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    Optional<SessionExpressions> session(@Nullable OneAtATime annotation, Method method, MethodAddresses addresses) {
        if (annotation == null) {
            return Optional.empty();
        }
        try {
            SessionExpressions session = SessionExpressions.parse(
                    List.of(annotation.value()), annotation.missing() == OneAtATime.MissingSession.OWN);
            for (String parameter : session.pathParameters()) {
                addresses
                        .lacks(parameter)
                        .ifPresent(it -> faults.add(method, "has a session of path:" + parameter + ", " + it));
            }
            return Optional.of(session);
        } catch (IllegalArgumentException e) {
            faults.add(method, "@OneAtATime: " + e.getMessage());
            return Optional.empty();
        }
    }

    void checkSource(Binding binding, Method method, MethodAddresses addresses) {
        Optional<String> parameter = binding.sourceParameter();
        if (parameter.isPresent()) {
            addresses
                    .lacks(parameter.get())
                    .ifPresent(it -> faults.add(
                            method, "takes its source from the path parameter '" + parameter.get() + "', " + it));
        } else if (Sources.isName(binding.source())) {
            literals.add(binding.source());
        } else {
            faults.add(
                    method,
                    "names the source '" + binding.source()
                            + "'; allowed: [a-z][a-z0-9-]{0,62}, or a path parameter in braces");
        }
    }
}

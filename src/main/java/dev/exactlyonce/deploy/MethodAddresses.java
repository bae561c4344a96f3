package dev.exactlyonce.deploy;

import dev.exactlyonce.rest.Binding;
import dev.exactlyonce.rest.PathTemplate;
import dev.exactlyonce.rest.ResourceClass;
import dev.exactlyonce.rest.ResourceMethod;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where a method's requests arrive, as far as the deployment knows.
 *
 * @param ways what the declarations say; empty where open locators alone lead to the class
 * @param possible the path parameters of all that may lead there
 * @param shared the templates that several ways of the application have
 */
record MethodAddresses(
        PathTemplate own,
        PathTemplate ofMethod,
        List<ResourcePaths.ResourcePath> ways,
        Set<String> possible,
        Set<String> shared) {
    static MethodAddresses of(ResourceMethod method, ResourcePaths ways) {
        return new MethodAddresses(
                PathTemplate.of(ResourceClass.path(method.type()).orElse("")).then(method.template()),
                method.template(),
                ways.certain(method.type()),
                ways.possibleParameters(method.type()),
                ways.shared());
    }

    Binding.Paths paths() {
        Set<String> known =
                ways.stream().map(it -> it.template().then(ofMethod).text()).collect(Collectors.toSet());
        return new Binding.Paths(
                own.text(),
                ofMethod.text(),
                known,
                known.stream().filter(shared::contains).collect(Collectors.toSet()));
    }

    /** Why a request may not have this path parameter exactly once; nothing if each has. */
    Optional<String> lacks(String parameter) {
        if (ways.isEmpty()) {
            return ofMethod.parameters().contains(parameter) || possible.contains(parameter)
                    ? Optional.empty()
                    : Optional.of("which neither its @Path nor a locator has; it has " + ofMethod.parameters());
        }
        for (ResourcePaths.ResourcePath way : ways) {
            List<String> parameters = way.template().then(ofMethod).parameters();
            int count = Collections.frequency(parameters, parameter);
            if (count != 1) {
                return Optional.of("which " + way.description()
                        + (count == 0 ? " does not have" : " has more than once") + "; it has " + parameters);
            }
        }
        return Optional.empty();
    }
}

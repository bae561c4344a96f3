package dev.exactlyonce.deploy;

import dev.exactlyonce.admission.SourcePolicy;
import dev.exactlyonce.common.OptionalClasses;
import dev.exactlyonce.rest.Hierarchy;
import jakarta.transaction.Transactional;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Whether a bound method can keep what {@code mode=transactional} promises; its faults follow the method's name. */
final class TransactionalChecks {
    private static final String STORE = "jdbc";
    private static final String JTA = "jakarta.transaction.Transactional";
    private static final String USER_TRANSACTION = "jakarta.transaction.UserTransaction";
    private static final Set<String> SESSION_BEANS =
            Set.of("jakarta.ejb.Stateless", "jakarta.ejb.Stateful", "jakarta.ejb.Singleton");

    private TransactionalChecks() {}

    /** @param store the name of the application's store */
    static Optional<String> fault(Class<?> type, Method method, SourcePolicy policy, String store) {
        if (!store.equals(STORE)) {
            return Optional.of("needs exactlyonce.store=jdbc, and the store is " + store
                    + ": the record is written in the transaction of the handler");
        }
        if (!OptionalClasses.isPresent(JTA)) {
            return Optional.of("needs JTA, which the server does not have; add a feature that contains it, such as"
                    + " jdbc-4.2 with transaction support");
        }
        if (CompletionStage.class.isAssignableFrom(method.getReturnType())) {
            return Optional.of(
                    "returns a CompletionStage: the transaction would be committed before the work has ended;"
                            + " return the result itself");
        }
        if (policy.duplicates() == SourcePolicy.Duplicates.FORWARD) {
            return Optional.of("does not run handlers of duplicates, as duplicate=forward of source " + policy.name()
                    + " asks; allowed: ack, replay");
        }
        return ofTheBean(type).or(() -> TypeOfTransaction.fault(type, method));
    }

    private static Optional<String> ofTheBean(Class<?> type) {
        if (Arrays.stream(type.getAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(it -> SESSION_BEANS.contains(it.getName()))) {
            return Optional.of(
                    "is a method of a session bean, whose transactions are not those of the record; make it a"
                            + " CDI bean");
        }
        boolean endsItself = Hierarchy.of(type)
                .flatMap(it -> Arrays.stream(it.getDeclaredFields()))
                .anyMatch(it -> it.getType().getName().equals(USER_TRANSACTION));
        return endsItself
                ? Optional.of(
                        "uses a UserTransaction: the record is part of one transaction, which the handler must not end;"
                                + " remove the UserTransaction")
                : Optional.empty();
    }

    /** Apart, so that a server without the API can load the class around it. */
    private static final class TypeOfTransaction {
        static Optional<String> fault(Class<?> type, Method method) {
            Transactional own = method.getAnnotation(Transactional.class);
            Transactional found = own == null ? ofClass(type, method) : own;
            return found == null ? Optional.empty() : fault(found.value());
        }

        private static @Nullable Transactional ofClass(Class<?> type, Method method) {
            Transactional inherited = type.getAnnotation(Transactional.class);
            return inherited == null ? method.getDeclaringClass().getAnnotation(Transactional.class) : inherited;
        }

        private static Optional<String> fault(Transactional.TxType type) {
            return switch (type) {
                case REQUIRED, REQUIRES_NEW, SUPPORTS -> Optional.empty();
                case NOT_SUPPORTED, NEVER, MANDATORY ->
                    Optional.of(
                            "has @Transactional(" + type
                                    + "), so that no transaction could hold the record; allowed: REQUIRED, REQUIRES_NEW, SUPPORTS");
            };
        }
    }
}

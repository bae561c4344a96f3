package dev.exactlyonce.cdi;

import dev.exactlyonce.common.OptionalClasses;
import jakarta.transaction.Transactional;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which exceptions the transaction of a method is committed despite of. */
final class DontRollbackOn {
    private static final boolean IS_THERE = OptionalClasses.isPresent("jakarta.transaction.Transactional");

    private DontRollbackOn() {}

    /** By the method's own annotation, else by its class's: as the container reads them. */
    static Predicate<Throwable> of(Method method, Object target) {
        return IS_THERE ? Annotated.of(method, target.getClass()) : failure -> false;
    }

    /** Apart, so that a server without the API can load the class around it. */
    private static final class Annotated {
        static Predicate<Throwable> of(Method method, Class<?> target) {
            Transactional own = method.getAnnotation(Transactional.class);
            Transactional found = own == null ? ofClass(method, target) : own;
            return found == null ? failure -> false : failure -> isCommittedDespite(found, failure);
        }

        private static @Nullable Transactional ofClass(Method method, Class<?> target) {
            Transactional inherited = target.getAnnotation(Transactional.class);
            return inherited == null ? method.getDeclaringClass().getAnnotation(Transactional.class) : inherited;
        }

        private static boolean isCommittedDespite(Transactional annotation, Throwable failure) {
            return Arrays.stream(annotation.dontRollbackOn()).anyMatch(it -> it.isInstance(failure));
        }
    }
}

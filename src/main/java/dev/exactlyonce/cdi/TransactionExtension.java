package dev.exactlyonce.cdi;

import dev.exactlyonce.common.OptionalClasses;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.interceptor.Interceptor;
import java.lang.annotation.Annotation;
import java.util.List;

/**
 * Makes the classes that watch transactions interceptors, as far as the server has what they name: with {@code @Interceptor} on
 * them CDI would find them by itself, on every server.
 */
public class TransactionExtension implements Extension {
    private static final List<String> SESSION_BEANS =
            List.of("jakarta.ejb.Stateless", "jakarta.ejb.Stateful", "jakarta.ejb.Singleton");

    private static final class InterceptorLiteral extends AnnotationLiteral<Interceptor> implements Interceptor {
        private static final long serialVersionUID = 1L;
    }

    private static final class SessionBeanMethodLiteral extends AnnotationLiteral<SessionBeanMethod>
            implements SessionBeanMethod {
        private static final long serialVersionUID = 1L;
    }

    void addInterceptors(@Observes BeforeBeanDiscovery event) {
        if (OptionalClasses.isPresent("jakarta.transaction.Transactional")
                && OptionalClasses.isPresent("jakarta.transaction.Synchronization")) {
            add(event, OutsideTransaction.class);
            add(event, InsideTransaction.class);
            add(event, OutsideNewTransaction.class);
            add(event, InsideNewTransaction.class);
            if (SESSION_BEANS.stream().allMatch(OptionalClasses::isPresent)) {
                add(event, InsideSessionBean.class);
                SESSION_BEANS.forEach(it -> event.addStereotype(
                        OptionalClasses.get(it).asSubclass(Annotation.class), new SessionBeanMethodLiteral()));
            }
        }
    }

    private static void add(BeforeBeanDiscovery event, Class<?> type) {
        event.addAnnotatedType(type, type.getName()).add(new InterceptorLiteral());
    }
}

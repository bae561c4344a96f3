package dev.exactlyonce.deploy;

import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.BeforeShutdown;
import jakarta.enterprise.inject.spi.Extension;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.runtime.ObjectMethods;
import java.util.List;

/**
 * Lets the class loader of an application that was removed be collected. The method handles that Java 17 makes a record's
 * {@code equals}, {@code hashCode} and {@code toString} from remember the last type that each was adapted to (JDK-8078641,
 * mended in Java 18). That is a class of this application when its record came last; so, at the very end, they are adapted
 * to a type of the JDK.
 */
public class UnloadingExtension implements Extension {
    private static final System.Logger LOG = System.getLogger(UnloadingExtension.class.getName());
    private static final List<String> METHODS = List.of("equals", "hashCode", "toString");

    void end(@Observes BeforeShutdown event) {
        MethodHandle component = MethodHandles.identity(String.class);
        try {
            for (String method : METHODS) {
                ObjectMethods.bootstrap(
                        MethodHandles.lookup(), method, MethodHandle.class, String.class, "it", component);
            }
        } catch (Throwable unknown) { // declared by the JDK; another Java may refuse, and needs it not
            LOG.log(Level.DEBUG, "the JDK may keep a class of this application until another record is used", unknown);
        }
    }
}

package dev.exactlyonce.deploy;

import dev.exactlyonce.ExactlyOnce;
import dev.exactlyonce.TurnLock;
import dev.exactlyonce.common.OptionalClasses;
import dev.exactlyonce.config.Settings;
import dev.exactlyonce.config.SettingsReader;
import dev.exactlyonce.rest.Bindings;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.DeploymentException;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.enterprise.inject.spi.ProcessInjectionPoint;
import jakarta.enterprise.inject.spi.ProcessManagedBean;
import jakarta.enterprise.inject.spi.ProcessSessionBean;
import jakarta.enterprise.inject.spi.WithAnnotations;
import jakarta.interceptor.Interceptor;
import jakarta.ws.rs.Path;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Decides at deployment, once, which methods are bound and how the module is configured. Everything that is wrong is a
 * deployment problem, and only in {@link AfterDeploymentValidation} does one stop a deployment on Open Liberty.
 */
public class ExactlyOnceExtension implements Extension {
    private static final System.Logger LOG = System.getLogger(ExactlyOnceExtension.class.getName());
    private static final String HEALTH_API = "org.eclipse.microprofile.health.HealthCheck";
    private static final String HEALTH_BEAN = "dev.exactlyonce.health.DurabilityCheck";
    private static final String TURN_HEALTH_BEAN = "dev.exactlyonce.health.TurnLockCheck";
    private static final String SENDER_HEALTH_BEAN = "dev.exactlyonce.health.SenderCheck";

    private final Map<AnnotatedType<?>, Boolean> beans = new LinkedHashMap<>();
    private final Set<Class<?>> annotated = new LinkedHashSet<>();
    private final Set<Class<?>> resources = new LinkedHashSet<>();
    private boolean isTurnLockInjected;
    private @Nullable Settings settings;
    private @Nullable Bindings bindings;

    void addHealthCheck(@Observes BeforeBeanDiscovery event, BeanManager manager) {
        if (OptionalClasses.isPresent(HEALTH_API)) {
            add(event, manager, HEALTH_BEAN);
            if (SettingsReader.isAnythingSent()) {
                add(event, manager, SENDER_HEALTH_BEAN);
            }
            if (SettingsReader.areTurnsShared()) {
                add(event, manager, TURN_HEALTH_BEAN);
            }
        } else {
            LOG.log(
                    Level.WARNING,
                    "EXON0001 MicroProfile Health is not available, so readiness cannot report a degraded guarantee; add the feature"
                            + " mpHealth-4.0");
        }
    }

    private static void add(BeforeBeanDiscovery event, BeanManager manager, String bean) {
        event.addAnnotatedType(manager.createAnnotatedType(OptionalClasses.get(bean)), bean);
    }

    void remember(@Observes @WithAnnotations(ExactlyOnce.class) ProcessAnnotatedType<?> event) {
        if (!event.getAnnotatedType().isAnnotationPresent(Interceptor.class)) {
            annotated.add(event.getAnnotatedType().getJavaClass());
        }
    }

    void rememberResource(@Observes @WithAnnotations(Path.class) ProcessAnnotatedType<?> event) {
        resources.add(event.getAnnotatedType().getJavaClass());
    }

    void rememberTurnLock(@Observes ProcessInjectionPoint<?, TurnLock> event) {
        isTurnLockInjected = true;
    }

    void remember(@Observes ProcessManagedBean<?> event) {
        if (!event.getAnnotatedBeanClass().isAnnotationPresent(Interceptor.class)) {
            beans.putIfAbsent(event.getAnnotatedBeanClass(), false); // a session bean is reported here, too
        }
    }

    void rememberSessionBean(@Observes ProcessSessionBean<?> event) {
        TransactionManagement own = event.getAnnotatedBeanClass().getAnnotation(TransactionManagement.class);
        beans.put(event.getAnnotatedBeanClass(), own == null || own.value() == TransactionManagementType.CONTAINER);
    }

    void validate(@Observes AfterDeploymentValidation event, BeanManager manager) {
        BindingFaults faults = new BindingFaults();
        beans.keySet().forEach(it -> resources.add(it.getJavaClass()));
        ResourcePaths ways = new ResourcePaths(resources);
        BindingScanner scanner = new BindingScanner(manager, ways, faults);
        beans.forEach(scanner::scan);
        annotated.stream()
                .filter(it -> beans.keySet().stream().noneMatch(bean -> it.isAssignableFrom(bean.getJavaClass())))
                .forEach(scanner::faultOfNoBean);
        LocatorChecks locators = new LocatorChecks(scanner.bound(), ways, faults);
        locators.find(scanner.whole());
        SettingsReader.Reading reading =
                SettingsReader.ofThisApplication(applicationName()).read(scanner.literals());

        ModeChecks.find(
                scanner.bound(),
                reading.settings().sources(),
                reading.settings().store().name(),
                faults);
        locators.warnings().forEach(it -> LOG.log(Level.WARNING, "EXON0007 {0}", it));
        refuse(event, "EXON0002", faults.all());
        refuse(event, "EXON0003", reading.problems());
        refuse(event, "EXON0006", missingDataSource(reading.settings()));
        settings = reading.settings();
        bindings = scanner.bindings();
        beans.clear();
        annotated.clear();
        resources.clear();
    }

    private static void refuse(AfterDeploymentValidation event, String id, List<String> problems) {
        new LinkedHashSet<>(problems).forEach(it -> event.addDeploymentProblem(new DeploymentException(id + " " + it)));
    }

    /** The checked settings; only after validation. */
    public Settings settings() {
        return validated(settings);
    }

    /** Whether the sender's outbox is in a database of the server's; false when the validation did not come that far. */
    boolean sendsFromDataSource() {
        return settings != null && settings.sending().dataSource().isPresent();
    }

    /** Whether the application uses the turn lock. */
    public boolean isTurnLockInjected() {
        return isTurnLockInjected;
    }

    /** The bound methods; only after validation. */
    public Bindings bindings() {
        return validated(bindings);
    }

    private static <T> T validated(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("the deployment has not been validated");
        }
        return value;
    }

    @SuppressWarnings("BanJNDI") // a name of the configuration, of the characters that a name has on a server
    private static List<String> missingDataSource(Settings settings) {
        return settings.sending().dataSource().stream()
                .filter(name -> {
                    try {
                        return !(new InitialContext().lookup(name) instanceof DataSource);
                    } catch (NamingException missing) {
                        return true;
                    }
                })
                .map(name -> "exactlyonce.sender.data-source: the server has no DataSource named " + name)
                .toList();
    }

    @SuppressWarnings("BanJNDI") // a constant name
    private static String applicationName() {
        try {
            return (String) new InitialContext().lookup("java:app/AppName");
        } catch (NamingException unnamed) {
            return "application";
        }
    }
}

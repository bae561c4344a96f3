package dev.exactlyonce.it;

import dev.exactlyonce.spi.StoreProvider;
import java.io.File;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.ClassLoaderAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** Builds WARs as a user does: own classes, the library, three lines of configuration. */
public final class Wars {
    private static final String BEANS = """
            <beans xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.0" bean-discovery-mode="annotated"/>
            """;

    private Wars() {}

    public static WebArchive of(String name, Class<?>... classes) {
        return archive(name, classes).addAsWebInfResource(new StringAsset(BEANS), "beans.xml");
    }

    /** A WAR whose own classes CDI does not read. */
    static WebArchive withoutBeans(String name, Class<?>... classes) {
        return archive(name, classes)
                .addAsWebInfResource(new StringAsset(BEANS.replace("annotated", "none")), "beans.xml");
    }

    /** A WAR of which every class is a bean. */
    static WebArchive ofBeans(String name, Class<?>... classes) {
        return archive(name, classes)
                .addAsWebInfResource(new StringAsset(BEANS.replace("annotated", "all")), "beans.xml");
    }

    private static WebArchive archive(String name, Class<?>... classes) {
        WebArchive war = ShrinkWrap.create(WebArchive.class, name + ".war").addClasses(classes);
        Arrays.stream(classes).forEach(type -> addEnclosing(war, type));
        return war.addAsWebInfResource(new StringAsset(BEANS), "beans.xml").addAsLibraries(libraries());
    }

    /** The class around a nested one, alone: the container reads it, its other nested classes stay out. */
    private static void addEnclosing(WebArchive war, Class<?> type) {
        Class<?> enclosing = type.getEnclosingClass();
        if (enclosing != null) {
            String file = enclosing.getName().replace('.', '/') + ".class";
            war.addAsResource(new ClassLoaderAsset(file, enclosing.getClassLoader()), file);
        }
    }

    /** The library as it was packaged, and what a WAR inherits with it. */
    private static File[] libraries() {
        return new File[] {new File(System.getProperty("lib.jar")), jarOf(org.sqlite.JDBC.class)};
    }

    /** Adds what an application adds for the store redis. */
    public static WebArchive withRedis(WebArchive war) {
        File[] libraries = new File(System.getProperty("war.libs")).listFiles((folder, name) -> name.endsWith(".jar"));
        return war.addAsLibraries(Arrays.stream(libraries)
                .filter(it -> !it.getName().startsWith("sqlite"))
                .toArray(File[]::new));
    }

    /** Adds what an application adds to send. */
    public static WebArchive withSender(WebArchive war) {
        File[] libraries = new File(System.getProperty("war.libs"))
                .listFiles((folder, name) -> name.matches("(httpclient5|httpcore5|slf4j-api).*\\.jar"));
        return war.addAsLibraries(libraries);
    }

    /** Adds what an application adds for a store of its own: its classes, its library and the line of its service. */
    public static WebArchive withStore(WebArchive war, Class<? extends StoreProvider> provider, Class<?> library) {
        return war.addPackage(provider.getPackage())
                .deleteClass(provider.getPackageName() + ".ExampleStoreTest")
                .addAsLibrary(jarOf(library))
                .addAsServiceProvider(StoreProvider.class, provider);
    }

    private static File jarOf(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    /** Adds these lines as the WAR's own configuration. */
    public static WebArchive configured(WebArchive war, String... lines) {
        return war.addAsResource(
                new StringAsset(Arrays.stream(lines).collect(Collectors.joining("\n"))),
                "META-INF/microprofile-config.properties");
    }
}

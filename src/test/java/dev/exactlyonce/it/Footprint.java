package dev.exactlyonce.it;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * What applications take up in a server's process, seen from outside after a full garbage collection. A class loader is
 * counted as long as anything holds it: a thread, a thread's context class loader or thread-local, a timer, an MBean, a cache.
 *
 * @param loaders class loaders of applications
 * @param engines ours
 * @param ownThreads names of threads that our code or a library of the application has started
 * @param otherThreads those of the server, without the ones of its pool, which grows and shrinks, and of this measurement
 * @param libraries mapped native libraries of SQLite
 * @param files open ones of the applications
 * @param descriptors open ones that are neither sockets nor the server's own JARs, selectors among them
 * @param beans MBeans
 */
record Footprint(
        long loaders,
        long engines,
        List<String> ownThreads,
        long otherThreads,
        List<String> libraries,
        List<String> files,
        long descriptors,
        int beans) {
    /** Whether nothing of an application is there. */
    boolean isOfNoApplication() {
        return loaders == 0 && engines == 0 && ownThreads.isEmpty() && libraries.isEmpty() && files.isEmpty();
    }

    /** Whether it is not more than another one. */
    boolean isWithin(Footprint other) {
        return otherThreads <= other.otherThreads && descriptors <= other.descriptors && beans <= other.beans;
    }

    /** Looks at a process of this machine. */
    static final class Meter implements AutoCloseable {
        private static final String LOADER = "com.ibm.ws.classloading.internal.AppClassLoader";
        private static final String ENGINE = "dev.exactlyonce.admission.AdmissionEngine";
        private static final List<String> OWN_THREADS =
                List.of("exactly-once", "redisson", "nioEventLoop", "multiThreadIoEventLoop", "globalEventExecutor");
        private static final List<String> UNSTEADY_THREADS = List.of("Default Executor", "RMI ", "JMX ", "Attach ");

        private final Path process;
        private final String application;
        private final JMXConnector connector;
        private final MBeanServerConnection server;

        /** @param application how the names of its files begin */
        @SuppressWarnings("BanJNDI") // the address is of a server that this build has started
        Meter(long pid, String application) {
            this.process = Path.of("/proc", Long.toString(pid));
            this.application = application;
            try {
                VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
                connector = JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
                machine.detach();
                server = connector.getMBeanServerConnection();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (AttachNotSupportedException e) {
                throw new IllegalStateException(e);
            }
        }

        Footprint measure() {
            try {
                List<String> heap = histogram();
                List<String> threads = threads();
                List<String> open = open();
                return new Footprint(
                        instances(heap, LOADER),
                        instances(heap, ENGINE),
                        threads.stream()
                                .filter(it -> OWN_THREADS.stream().anyMatch(it::startsWith))
                                .toList(),
                        threads.stream()
                                .filter(it -> Stream.concat(OWN_THREADS.stream(), UNSTEADY_THREADS.stream())
                                        .noneMatch(it::startsWith))
                                .count(),
                        libraries(),
                        open.stream()
                                .filter(it -> it.contains("/" + application))
                                .toList(),
                        open.size(),
                        server.getMBeanCount());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (JMException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Collects all garbage before. */
        private List<String> histogram() throws IOException, JMException {
            Object[] noArguments = {new String[0]};
            return ((String) server.invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            noArguments,
                            new String[] {String[].class.getName()}))
                    .lines()
                    .toList();
        }

        /** A line is "rank: instances bytes class (module)", and each class loader's class of that name has one. */
        private static long instances(List<String> histogram, String type) {
            return histogram.stream()
                    .map(it -> it.strip().split("\\s+"))
                    .filter(it -> it.length >= 4 && it[3].equals(type))
                    .mapToLong(it -> Long.parseLong(it[1]))
                    .sum();
        }

        /** By the plain bean: a proxy of its type refuses what a server in another locale says of itself. */
        private List<String> threads() throws IOException {
            try {
                ObjectName bean = new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME);
                Object ids = server.getAttribute(bean, "AllThreadIds");
                CompositeData[] threads = (CompositeData[])
                        server.invoke(bean, "getThreadInfo", new Object[] {ids}, new String[] {long[].class.getName()});
                return Arrays.stream(threads)
                        .filter(Objects::nonNull)
                        .map(it -> (String) it.get("threadName"))
                        .toList();
            } catch (JMException e) {
                throw new IllegalStateException(e);
            }
        }

        private List<String> libraries() throws IOException {
            try (Stream<String> mappings = Files.lines(process.resolve("maps"))) {
                return mappings.filter(it -> it.contains("sqlitejdbc"))
                        .map(it -> it.substring(it.indexOf('/')))
                        .distinct()
                        .toList();
            }
        }

        private List<String> open() throws IOException {
            try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
                return descriptors
                        .map(Meter::target)
                        .filter(it -> !it.isEmpty() && !it.startsWith("socket:") && !it.contains("/wlp/lib/"))
                        .collect(Collectors.toList());
            }
        }

        private static String target(Path descriptor) {
            try {
                return Files.readSymbolicLink(descriptor).toString();
            } catch (IOException closedMeanwhile) {
                return "";
            }
        }

        @Override
        public void close() {
            try {
                connector.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

package dev.exactlyonce.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jboss.arquillian.container.test.api.ContainerController;

/** The processes of one of our test servers, and what can be done to them. */
final class Server {
    private final String name;

    Server(String name) {
        this.name = name;
    }

    /** Starts it, unless an earlier test has: a start takes longer than most tests. */
    void start(ContainerController servers) {
        if (!servers.isStarted(name)) {
            servers.start(name);
        }
    }

    /** Stops it, if an earlier test has started it: for a test whose server has a configuration of its own. */
    void stop(ContainerController servers) {
        if (servers.isStarted(name)) {
            servers.stop(name);
        }
    }

    /** SIGKILL; the server can be started again afterwards. */
    void kill(ContainerController servers) {
        List<ProcessHandle> processes = processes();
        assertThat(processes).isNotEmpty();
        processes.forEach(ProcessHandle::destroyForcibly);
        processes.forEach(it -> it.onExit().join());
        // Arquillian finds no process to stop, and only then believes that the server is gone.
        assertThat(catchThrowable(() -> servers.kill(name))).isNotNull();
    }

    /** SIGSTOP: it keeps its connections and does nothing. */
    void pause() {
        signal("STOP");
    }

    /** SIGCONT. */
    void resume() {
        signal("CONT");
    }

    /** The server's own process. */
    long pid() {
        List<ProcessHandle> processes = processes();
        assertThat(processes).hasSize(1);
        return processes.get(0).pid();
    }

    private void signal(String signal) {
        List<ProcessHandle> processes = processes();
        assertThat(processes).isNotEmpty();
        for (ProcessHandle process : processes) {
            try {
                assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                                .start()
                                .waitFor())
                        .isZero();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private List<ProcessHandle> processes() {
        return ProcessHandle.current()
                .descendants()
                .filter(it -> it.info().commandLine().orElse("").contains("ws-server.jar " + name))
                .toList();
    }
}

package dev.exactlyonce.it;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** A handler's way to its effects. */
@ApplicationScoped
public class EffectsClient {
    @Inject
    @ConfigProperty(name = "effects.url")
    String url;

    public void happen(String effect) {
        call("/effect/" + effect);
    }

    public void waitAt(String gate) {
        call("/gate/" + gate);
    }

    public void enter(String section) {
        call("/enter/" + section);
    }

    public void leave(String section) {
        call("/leave/" + section);
    }

    /** Whether it was taken: its fence is greater than that of the last write. */
    public boolean write(String section, long fence) {
        return status("/write/" + section + "/" + fence) == 204;
    }

    private void call(String path) {
        int status = status(path);
        if (status != 204) {
            throw new IllegalStateException("effects answered " + status);
        }
    }

    private int status(String path) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(url + path).toURL().openConnection();
            return connection.getResponseCode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

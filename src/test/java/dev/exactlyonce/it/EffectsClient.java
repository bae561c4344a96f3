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

    private void call(String path) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(url + path).toURL().openConnection();
            int status = connection.getResponseCode();
            if (status != 204) {
                throw new IllegalStateException("effects answered " + status);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

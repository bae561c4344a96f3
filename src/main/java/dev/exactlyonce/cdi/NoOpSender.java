package dev.exactlyonce.cdi;

import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.SenderControl;
import dev.exactlyonce.sender.WebhookSender;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sending side of an application that declares no endpoint: nothing can be sent, and there is nothing to replay. */
final class NoOpSender {
    static final WebhookSender WEBHOOKS = (endpoint, event) -> {
        throw new IllegalArgumentException("no endpoint is declared; see exactlyonce.sender.endpoints");
    };

    static final DeadLetters DEAD_LETTERS = new DeadLetters() {
        @Override
        public List<DeadLetter> list(Filter filter) {
            return List.of();
        }

        @Override
        public Optional<DeadLetter> get(String id) {
            return Optional.empty();
        }

        @Override
        public Replay replay(String id, boolean force) {
            return Replay.UNKNOWN;
        }

        @Override
        public ReplaySummary replayAll(Filter filter, boolean force) {
            return new ReplaySummary(0, 0);
        }

        @Override
        public boolean discard(String id) {
            return false;
        }
    };

    static final SenderControl CONTROL = new SenderControl() {
        @Override
        public Map<String, String> endpoints() {
            return Map.of();
        }

        @Override
        public boolean enable(String endpoint) {
            return false;
        }
    };

    private NoOpSender() {}
}

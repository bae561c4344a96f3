package dev.exactlyonce.turn.redis;

import dev.exactlyonce.redis.client.ChannelListener;
import dev.exactlyonce.redis.client.PipelinedClient;
import dev.exactlyonce.turn.TurnStore.WakeUps;
import org.jspecify.annotations.Nullable;

/** The channel on which this replica hears of offers to its tokens. Thread-safe. */
final class OfferChannel implements ChannelListener {
    private volatile @Nullable WakeUps listener;
    private volatile boolean isOpen;

    OfferChannel(PipelinedClient client, String name) {
        client.subscribe(name, this);
    }

    void listen(WakeUps wakeUps) {
        listener = wakeUps;
    }

    /** Whether offers are heard of; else those that wait have to ask. */
    boolean isOpen() {
        return isOpen;
    }

    @Override
    public void opened() {
        isOpen = true;
        WakeUps it = listener;
        if (it != null) {
            it.all(); // what was published before is lost
        }
    }

    @Override
    public void closed() {
        isOpen = false;
    }

    @Override
    public void received(String message) {
        WakeUps it = listener;
        if (it != null && message.startsWith("!")) {
            it.offered(message.substring(1));
        } else if (it != null && message.startsWith("+")) {
            it.next(message.substring(1));
        }
    }
}

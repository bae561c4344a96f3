package dev.exactlyonce.redis.client;

import java.util.concurrent.atomic.AtomicBoolean;
import org.redisson.Redisson;
import org.redisson.api.RTopic;
import org.redisson.api.listener.StatusListener;
import org.redisson.client.codec.StringCodec;

/** A channel that is subscribed to once Redis is there; the client subscribes again after a reconnection. */
final class ChannelSubscription implements StatusListener {
    private final String channel;
    private final ChannelListener listener;
    private final AtomicBoolean isBegun = new AtomicBoolean();

    ChannelSubscription(String channel, ChannelListener listener) {
        this.channel = channel;
        this.listener = listener;
    }

    /** Subscribes, unless it has; waits for nothing. A failure is tried again by the next call. */
    void open(Redisson client) {
        if (!isBegun.compareAndSet(false, true)) {
            return;
        }
        RTopic topic = client.getTopic(channel, StringCodec.INSTANCE);
        var unused = topic.addListenerAsync(this) // first: it is called for subscriptions that come after it
                .thenCompose(
                        status -> topic.addListenerAsync(String.class, (name, message) -> listener.received(message)))
                .whenComplete((id, failure) -> {
                    if (failure == null) {
                        listener.opened();
                    } else {
                        isBegun.set(false);
                        removeAll(topic);
                    }
                });
    }

    private static void removeAll(RTopic topic) {
        var unused = topic.removeAllListenersAsync();
    }

    @Override
    public void onSubscribe(String name) {
        listener.opened();
    }

    @Override
    public void onUnsubscribe(String name) {
        listener.closed();
    }
}

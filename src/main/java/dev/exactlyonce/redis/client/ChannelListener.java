package dev.exactlyonce.redis.client;

/** Hears the messages of a channel. Its methods are called by threads of the client, and take no time. */
public interface ChannelListener {
    /** Messages come from now on; earlier ones may have been lost. */
    void opened();

    /** The channel was given up; it will be opened again. */
    void closed();

    void received(String message);
}

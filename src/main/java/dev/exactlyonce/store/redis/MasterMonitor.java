package dev.exactlyonce.store.redis;

import dev.exactlyonce.redis.client.QueuedCommand;
import dev.exactlyonce.redis.client.RedisExceptions;
import dev.exactlyonce.redis.client.SharedConnection;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisRedirectException;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.connection.MasterSlaveEntry;

/**
 * Asks each master whether it was restarted, on each connection and after each probe: by INFO, and where that is not
 * permitted by a {@link Marker}. Waits for nothing. Thread-safe.
 */
final class MasterMonitor {
    private static final System.Logger LOG = System.getLogger(MasterMonitor.class.getName());

    /** All sections that are not asked for by name; naming several is not possible in older servers. */
    private static final RedisCommand<Object> INFO = new RedisCommand<>("INFO");

    private static final RedisCommand<Object> SET = new RedisCommand<>("SET");

    /** A marker that is no longer counted up expires after it. */
    private static final long MARKER_STAYS_MILLIS = Duration.ofDays(1).toMillis();

    /** In ticks: each refusal is an entry in the log of the server's ACL. */
    private static final int ASK_AGAIN_AFTER = 60;

    private final RestartWatch watch;
    private final RedisStore.Watcher watcher;
    private final Function<MasterSlaveEntry, Optional<String>> markerKeys;
    private final Map<MasterSlaveEntry, Marker> markers = new ConcurrentHashMap<>();
    private final Set<MasterSlaveEntry> unanswered = ConcurrentHashMap.newKeySet();
    private long ticks;

    /**
     * @param watcher fails never, and takes no time
     * @param markerKeys a key that the master keeps, and that no other process uses
     */
    MasterMonitor(RedisStore.Watcher watcher, Function<MasterSlaveEntry, Optional<String>> markerKeys) {
        this.watch = new RestartWatch(watcher);
        this.watcher = watcher;
        this.markerKeys = markerKeys;
    }

    void look(SharedConnection connection) {
        Marker marker = markers.get(connection.master());
        if (marker != null) {
            write(marker, connection); // before INFO: once that is permitted, the marker is needed no more
        }
        askInfo(connection);
    }

    /** About once a second, by one thread. */
    void tick(Collection<SharedConnection> connections) {
        ticks++;
        connections.forEach(this::tick);
    }

    private void tick(SharedConnection connection) {
        boolean isHidden = watch.isHidden(connection.master());
        if (isHidden) {
            writeMarker(connection);
        }
        if (unanswered.remove(connection.master()) || (isHidden && ticks % ASK_AGAIN_AFTER == 0)) {
            askInfo(connection);
        }
    }

    private void askInfo(SharedConnection connection) {
        MasterSlaveEntry master = connection.master();
        long number = watch.ask();
        QueuedCommand info = new QueuedCommand(INFO, new Object[0], false);
        var unused = info.reply().whenComplete((text, failure) -> {
            boolean isAnswer = text instanceof String;
            if (!isAnswer && !RedisExceptions.isForbidden(failure)) {
                unanswered.add(master);
                LOG.log(Level.DEBUG, "Redis did not answer INFO; it is asked again");
            } else if (watch.saw(master, number, isAnswer ? (String) text : "")) {
                markers.remove(master);
            } else {
                writeMarker(connection);
            }
        });
        connection.submit(info);
    }

    private void writeMarker(SharedConnection connection) {
        markerOf(connection.master()).ifPresent(marker -> write(marker, connection));
    }

    private Optional<Marker> markerOf(MasterSlaveEntry master) {
        Marker there = markers.get(master);
        if (there != null) {
            return Optional.of(there);
        }
        return markerKeys.apply(master).map(key -> markers.computeIfAbsent(master, any -> new Marker(key)));
    }

    private void write(Marker marker, SharedConnection connection) {
        Marker.Write write = marker.next();
        if (write == null) {
            return;
        }
        Object[] arguments = {marker.key(), write.number(), "PX", MARKER_STAYS_MILLIS, "GET"};
        QueuedCommand set = new QueuedCommand(SET, arguments, false);
        var unused = set.reply().whenComplete((before, failure) -> {
            if (failure == null) {
                if (marker.written(write, before)) {
                    watcher.restarted();
                }
            } else {
                failed(marker, connection.master(), RedisExceptions.cause(failure));
            }
        });
        connection.submit(set);
    }

    /** A key whose slot has moved to another master shows nothing about this one. */
    private void failed(Marker marker, MasterSlaveEntry master, @Nullable Throwable failure) {
        marker.failed();
        if (failure instanceof RedisRedirectException) {
            markers.remove(master, marker);
        }
    }
}

package dev.exactlyonce.store.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.redisson.client.protocol.RedisCommand;

/**
 * What an owner-checked operation does about what it found: the scripts once more, for a server that permits none.
 *
 * @param commands none where there is nothing to change
 */
record ClientSideChange(CheckResult found, List<Command> commands) {
    private static final RedisCommand<Object> SET = new RedisCommand<>("SET");
    private static final RedisCommand<Object> DEL = new RedisCommand<>("DEL");
    private static final RedisCommand<Object> SETRANGE = new RedisCommand<>("SETRANGE");
    private static final RedisCommand<Object> PEXPIRE = new RedisCommand<>("PEXPIRE");

    private static final int FENCE_SECONDS = 604_800;

    /** A command inside the transaction. */
    @SuppressWarnings("ArrayRecordComponent") // sent, never compared
    record Command(RedisCommand<?> command, Object... arguments) {}

    /**
     * @param lastFence the last fencing token of {@link Script#RESERVE}; 0 without one
     * @param nowMicros the server's time, for the next one
     */
    static ClientSideChange reserving(
            OwnerCheck check, @Nullable String there, long ttlMillis, long lastFence, long nowMicros) {
        boolean own = check.own().equals(there);
        if (there != null && !own) {
            return notDone(there, ttlMillis);
        }
        if (own && lastFence > 0) {
            return new ClientSideChange(CheckResult.granted(lastFence), List.of(touch(check)));
        }
        long fence = Math.max(lastFence + 1, nowMicros);
        return new ClientSideChange(
                CheckResult.granted(fence),
                List.of(new Command(SET, check.fenceKey(), fence, "EX", FENCE_SECONDS), set(check, check.own())));
    }

    static ClientSideChange of(OwnerCheck check, @Nullable String there, long ttlMillis) {
        boolean own = check.own().equals(there);
        boolean recorded = there != null && check.isOwnRecord(there);
        return switch (check.script()) {
            case RESERVE -> throw new IllegalArgumentException("a claim needs a fencing token");
            case LOOK -> own ? done(touch(check)) : notDone(there, ttlMillis);
            case RECORD -> {
                if (there == null || own) {
                    yield done(set(check, check.record()));
                }
                yield recorded ? done(touch(check)) : notDone(there, ttlMillis);
            }
            case RELEASE -> own ? done(new Command(DEL, check.key())) : notDone(there, ttlMillis);
            case RENEW -> {
                if (there == null) {
                    yield done(set(check, check.own()));
                }
                if (own) {
                    yield done(new Command(PEXPIRE, check.key(), check.millis()), touch(check));
                }
                yield recorded ? done(touch(check)) : notDone(there, ttlMillis);
            }
        };
    }

    private static Command set(OwnerCheck check, String value) {
        return new Command(SET, check.key(), value, "PX", check.millis());
    }

    /** A write that changes nothing, and creates nothing where the key has just ended; see {@link Script}. */
    private static Command touch(OwnerCheck check) {
        return new Command(SETRANGE, check.key(), 0, "");
    }

    private static ClientSideChange done(Command... commands) {
        return new ClientSideChange(CheckResult.DONE, List.of(commands));
    }

    private static ClientSideChange notDone(@Nullable String there, long ttlMillis) {
        return new ClientSideChange(
                there == null ? CheckResult.NOTHING : CheckResult.other(there, ttlMillis), List.of());
    }
}

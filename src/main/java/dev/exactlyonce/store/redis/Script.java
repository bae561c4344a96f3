package dev.exactlyonce.store.redis;

import dev.exactlyonce.redis.client.ScriptSha;

/**
 * What is decided inside Redis, on the very value that is there. Every script takes the key, the claim's own value, how
 * its own record begins, milliseconds, and the record to write; and answers 1 for done, 0 for nothing there, or else what
 * is there and how long it stays.
 *
 * <p>A script that finds its work already done overwrites nothing with nothing: a write that changes nothing, which a
 * replica and a full server refuse. Without it they would seem to take writes.
 */
enum Script {
    /**
     * Claims the key where it is absent, and answers the claim's fencing token: larger than the last one, which is kept under
     * a key of the same slot, and than any that has expired, as the time in microseconds is larger. Takes that second key
     * after the first, or none where a slot on its way to another master does not take two: then the time alone.
     */
    RESERVE("""
            local there = redis.call('GET', KEYS[1])
            if there and there ~= ARGV[1] then
              return {there, redis.call('PTTL', KEYS[1])}
            end
            local fence = tonumber(KEYS[2] and redis.call('GET', KEYS[2]) or '0')
            if there and fence > 0 then
              redis.call('SETRANGE', KEYS[1], 0, '')
              return fence
            end
            local time = redis.call('TIME')
            fence = math.max(fence + 1, time[1] * 1000000 + time[2])
            if KEYS[2] then
              redis.call('SET', KEYS[2], string.format('%.0f', fence), 'EX', 604800)
            end
            redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
            return fence
            """),
    /** Reads the owner of the key. */
    LOOK("""
            local there = redis.call('GET', KEYS[1])
            if not there then
              return 0
            end
            if there == ARGV[1] then
              redis.call('SETRANGE', KEYS[1], 0, '')
              return 1
            end
            return {there, redis.call('PTTL', KEYS[1])}
            """),
    /** Writes the record over the own claim or nothing. */
    RECORD("""
            local there = redis.call('GET', KEYS[1])
            if not there or there == ARGV[1] then
              redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[3])
              return 1
            end
            if string.sub(there, 1, #ARGV[2]) == ARGV[2] then
              redis.call('SETRANGE', KEYS[1], 0, '')
              return 1
            end
            return {there, redis.call('PTTL', KEYS[1])}
            """),
    /** Deletes the own claim. */
    RELEASE("""
            local there = redis.call('GET', KEYS[1])
            if not there then
              return 0
            end
            if there == ARGV[1] then
              redis.call('DEL', KEYS[1])
              return 1
            end
            return {there, redis.call('PTTL', KEYS[1])}
            """),
    /** Starts the lease anew. A full server extends it too, and then reports that it is full: the handler runs on. */
    RENEW("""
            local there = redis.call('GET', KEYS[1])
            if not there then
              redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
              return 1
            end
            if there == ARGV[1] then
              local full = redis.pcall('SETRANGE', KEYS[1], 0, '')
              redis.call('PEXPIRE', KEYS[1], ARGV[3])
              if type(full) == 'table' then
                return full
              end
              return 1
            end
            if string.sub(there, 1, #ARGV[2]) == ARGV[2] then
              redis.call('SETRANGE', KEYS[1], 0, '')
              return 1
            end
            return {there, redis.call('PTTL', KEYS[1])}
            """);

    private final String text;
    private final String sha;

    Script(String text) {
        this.text = text;
        this.sha = ScriptSha.of(text);
    }

    String text() {
        return text;
    }

    /** The name by which Redis keeps the script. */
    String sha() {
        return sha;
    }
}

package dev.exactlyonce.turn.redis;

import dev.exactlyonce.redis.client.ScriptSha;

/**
 * What is decided inside Redis. The keys are the lock, the queue and the fence of one session. The lock's value is the
 * holder's entry, {@code <replica>:<token>}; with a question mark before it, the session is offered to that entry. The queue is
 * a sorted set of {@code <wait in ms>:<entry>} by the time of arrival in microseconds.
 *
 * <p>All scripts take the entry, its member in the queue, the TTL in ms, how long an offer holds in ms, the start of the
 * channels' names, the own fence, and how long a fence is kept in ms.
 */
enum TurnScript {
    /** Answers 1 and the fence, or 0 and how long the holder's TTL lasts. */
    TAKE("""
            local there = redis.call('GET', KEYS[1])
            if there == entry then
              redis.call('PEXPIRE', KEYS[1], ttl)
              return {1, redis.call('GET', KEYS[3]) or '0'}
            end
            local first = not there and head()
            if there == '?' .. entry or (not there and (not first or first == member)) then
              local fence = math.max(tonumber(redis.call('GET', KEYS[3]) or 0) + 1, now)
              local text = string.format('%.0f', fence)
              redis.call('SET', KEYS[3], text, 'PX', fenceTtl)
              redis.call('ZREM', KEYS[2], member)
              redis.call('SET', KEYS[1], entry, 'PX', ttl)
              return {1, text}
            end
            if first then
              offer(first)
            end
            local wait = tonumber(string.match(member, '^%d+'))
            if wait > 0 then
              redis.call('ZADD', KEYS[2], 'NX', string.format('%.0f', now), member)
              if redis.call('PTTL', KEYS[2]) < wait then
                redis.call('PEXPIRE', KEYS[2], wait)
              end
            end
            return {0, tostring(redis.call('PTTL', KEYS[1]))}
            """),
    /** Answers 1 when the session was freed. */
    RELEASE("""
            redis.call('ZREM', KEYS[2], member)
            local there = redis.call('GET', KEYS[1])
            if there ~= entry and there ~= '?' .. entry then
              return 0
            end
            redis.call('DEL', KEYS[1])
            local first = head()
            if first then
              offer(first)
            end
            return 1
            """),
    /** Answers 1 when the entry holds the session. */
    RENEW("""
            local there = redis.call('GET', KEYS[1])
            local last = redis.call('GET', KEYS[3])
            if there == entry or (not there and (not last or last == fence)) then
              redis.call('SET', KEYS[1], entry, 'PX', ttl)
              redis.call('SET', KEYS[3], fence, 'PX', fenceTtl)
              return 1
            end
            return 0
            """);

    private static final String START = """
            local entry, member, ttl, offerTtl, channels, fence, fenceTtl = unpack(ARGV)
            local time = redis.call('TIME')
            local now = time[1] * 1000000 + time[2]
            local function tell(kind, waiting)
              local replica, token = string.match(waiting, '^%d+:([^:]+):(.+)$')
              redis.pcall('PUBLISH', channels .. replica, kind .. token)
            end
            local function head()
              while true do
                local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
                if #first == 0 then
                  return nil
                end
                if tonumber(first[2]) + string.match(first[1], '^%d+') * 1000 > now then
                  return first[1]
                end
                redis.call('ZREM', KEYS[2], first[1])
              end
            end
            local function offer(waiting)
              redis.call('ZREM', KEYS[2], waiting)
              redis.call('SET', KEYS[1], '?' .. string.match(waiting, '^%d+:(.+)$'), 'PX', offerTtl)
              tell('!', waiting)
              local second = head()
              if second then
                tell('+', second)
              end
            end
            """;

    private final String text;
    private final String sha;

    TurnScript(String body) {
        this.text = START + body;
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

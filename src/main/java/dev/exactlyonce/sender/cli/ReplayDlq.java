package dev.exactlyonce.sender.cli;

import dev.exactlyonce.sender.DeadLetter;
import dev.exactlyonce.sender.DeadLetters;
import dev.exactlyonce.sender.OutboxUnavailableException;
import dev.exactlyonce.sender.SenderSettings;
import dev.exactlyonce.sender.dispatch.OutboxDeadLetters;
import dev.exactlyonce.sender.spi.Outbox;
import dev.exactlyonce.sender.spi.OutboxOpener;
import java.io.PrintStream;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The dead-letter queue from the command line. It puts entries back into the outbox, or lists them; the application that
 * has the outbox sends them.
 *
 * <pre>
 * java -cp … dev.exactlyonce.sender.ReplayDlq &lt;outbox&gt; list [endpoint=&lt;name&gt;]
 * java -cp … dev.exactlyonce.sender.ReplayDlq &lt;outbox&gt; replay [id=&lt;id&gt;] [endpoint=&lt;name&gt;] [window=&lt;duration&gt;] [force]
 * java -cp … dev.exactlyonce.sender.ReplayDlq &lt;outbox&gt; discard id=&lt;id&gt;
 * </pre>
 *
 * The outbox is the path of its SQLite file, or the JDBC URL of its PostgreSQL. Ends with 0 when all was done, 1 when
 * something was not (an entry is unknown, or older than the window and not forced), 2 when it was called wrongly, 3 when
 * the outbox does not answer.
 */
public final class ReplayDlq {
    private static final String USAGE = """
            usage: ReplayDlq <outbox> list [endpoint=<name>]
                   ReplayDlq <outbox> replay [id=<id>] [endpoint=<name>] [window=<duration>] [force]
                   ReplayDlq <outbox> discard id=<id>
            <outbox>: the path of a SQLite file, or a JDBC URL of PostgreSQL""";

    private final DeadLetters letters;
    private final String command;
    private final Options options;
    private final PrintStream out;

    private ReplayDlq(DeadLetters letters, Arguments arguments, PrintStream out) {
        this.letters = letters;
        this.command = arguments.command();
        this.options = arguments.options();
        this.out = out;
    }

    public static void main(String... args) {
        System.exit(run(List.of(args), System.out, System.err));
    }

    /** The same without an end of the process. */
    static int run(List<String> args, PrintStream out, PrintStream err) {
        try {
            Arguments arguments = Arguments.of(args);
            try (Outbox outbox = open(arguments.outbox())) {
                DeadLetters letters =
                        new OutboxDeadLetters(outbox, arguments.options().window(), () -> {});
                return new ReplayDlq(letters, arguments, out).run() ? 0 : 1;
            }
        } catch (IllegalArgumentException fault) {
            err.println(fault.getMessage());
            err.println(USAGE);
            return 2;
        } catch (OutboxUnavailableException away) {
            err.println(away.getMessage());
            return 3;
        }
    }

    private static Outbox open(String where) {
        return ServiceLoader.load(OutboxOpener.class, ReplayDlq.class.getClassLoader()).stream()
                .flatMap(it -> it.get().open(where).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no such outbox"));
    }

    private boolean run() {
        return switch (command) {
            case "list" -> list();
            case "replay" -> replay();
            default -> discard();
        };
    }

    private boolean list() {
        DeadLetters.Filter page = filter();
        while (true) {
            List<DeadLetter> found = letters.list(page);
            if (found.isEmpty()) {
                return true;
            }
            for (DeadLetter it : found) {
                out.printf(
                        Locale.ROOT,
                        "%s %s %s since %s: %s after %d attempts%s%n",
                        it.id(),
                        it.endpoint(),
                        it.key(),
                        it.since(),
                        it.error(),
                        it.attempts().size(),
                        it.notBefore().map(when -> ", not before " + when).orElse(""));
            }
            page = page.after(found.get(found.size() - 1).id());
        }
    }

    private boolean replay() {
        if (options.id().isPresent()) {
            DeadLetters.Replay result = letters.replay(options.id().get(), options.force());
            out.println(result.name().toLowerCase(Locale.ROOT).replace('_', '-'));
            return result == DeadLetters.Replay.REPLAYED || result == DeadLetters.Replay.ALREADY_REPLAYED;
        }
        DeadLetters.ReplaySummary all = letters.replayAll(filter(), options.force());
        out.printf(Locale.ROOT, "replayed %d, need force %d%n", all.replayed(), all.needForce());
        return all.needForce() == 0;
    }

    private boolean discard() {
        boolean isGone =
                letters.discard(options.id().orElseThrow(() -> new IllegalArgumentException("discard needs id=<id>")));
        out.println(isGone ? "discarded" : "unknown");
        return isGone;
    }

    private DeadLetters.Filter filter() {
        return options.endpoint().map(DeadLetters.Filter.ALL::ofEndpoint).orElse(DeadLetters.Filter.ALL);
    }

    /** @param window since an event's first attempt: an older dead letter is replayed by force alone */
    private record Options(Optional<String> id, Optional<String> endpoint, Duration window, boolean force) {}

    /** What was asked for. */
    private record Arguments(String outbox, String command, Options options) {
        static Arguments of(List<String> args) {
            if (args.size() < 2 || !List.of("list", "replay", "discard").contains(args.get(1))) {
                throw new IllegalArgumentException("an outbox and a command are needed");
            }
            Optional<String> id = Optional.empty();
            Optional<String> endpoint = Optional.empty();
            Duration window = SenderSettings.DEFAULT_REPLAY_WINDOW;
            boolean force = false;
            for (String arg : args.subList(2, args.size())) {
                if (arg.startsWith("id=")) {
                    id = Optional.of(arg.substring(3));
                } else if (arg.startsWith("endpoint=")) {
                    endpoint = Optional.of(arg.substring(9));
                } else if (arg.startsWith("window=")) {
                    window = duration(arg.substring(7));
                } else if (arg.equals("force")) {
                    force = true;
                } else {
                    throw new IllegalArgumentException("unknown: " + arg);
                }
            }
            if (id.isPresent() && endpoint.isPresent()) {
                throw new IllegalArgumentException("id and endpoint do not go together");
            }
            return new Arguments(args.get(0), args.get(1), new Options(id, endpoint, window, force));
        }

        private static Duration duration(String text) {
            try {
                Duration window = Duration.parse(text);
                if (!window.isNegative() && window.compareTo(SenderSettings.LONGEST) <= 0) {
                    return window;
                }
            } catch (DateTimeParseException malformed) {
                // reported below
            }
            throw new IllegalArgumentException("window is a duration in ISO-8601, PT0S to P3650D");
        }
    }
}

package dev.exactlyonce.source;

import dev.exactlyonce.admission.KeyResolver.Resolution;
import dev.exactlyonce.admission.Reply;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a sender asks to see whether it has the right receiver: answered once its signature was verified, and never shown to
 * a handler.
 */
public enum Handshake {
    /** {@code url_verification}: the challenge comes back, as it is, when it cannot be anything else. */
    SLACK("/type", "url_verification") {
        @Override
        Resolution answer(Message message, HandshakeSupport support) {
            return echo(text(message, "/challenge"));
        }
    },
    /** {@code endpoint.url_validation}: the token and its HMAC, for a token that cannot be anything else. */
    ZOOM("/event", "endpoint.url_validation") {
        @Override
        Resolution answer(Message message, HandshakeSupport support) {
            return text(message, "/payload/plainToken")
                    .filter(it -> TOKEN.matcher(it).matches())
                    .<Resolution>map(it -> new Resolution.DirectReply(
                            reply(JSON, signed(it, support.hmac().apply(it)))))
                    .orElse(MALFORMED);
        }
    },
    /** An interaction of type 1, PING: answered by a PONG. An event of a webhook has that type, too, and is none. */
    DISCORD("/type", "1") {
        @Override
        Resolution answer(Message message, HandshakeSupport support) {
            return new Resolution.DirectReply(reply(JSON, "{\"type\":1}"));
        }

        @Override
        boolean isAsked(Message message) {
            return super.isAsked(message) && text(message, "/event/type").isEmpty();
        }
    },
    /** A PING of Discord's webhook events, which is of type 0: answered by nothing. */
    DISCORD_EVENTS("/type", "0") {
        @Override
        Resolution answer(Message message, HandshakeSupport support) {
            return new Resolution.DirectReply(new Reply("handshake", 204, JSON, ""));
        }

        @Override
        boolean isAsked(Message message) {
            return super.isAsked(message) && text(message, "/version").isPresent();
        }
    },
    /** A header says that a callback is verified; its challenge comes back. */
    TWITCH("/challenge", "") {
        @Override
        Resolution answer(Message message, HandshakeSupport support) {
            return echo(text(message, "/challenge"));
        }

        @Override
        boolean isAsked(Message message) {
            return message.request()
                    .header("Twitch-Eventsub-Message-Type")
                    .equals(List.of("webhook_callback_verification"));
        }
    },
    /** A header with a challenge, which comes back. */
    FRONT("", "") {
        @Override
        Resolution answer(Message message, HandshakeSupport support) {
            return echo(message.request().header("X-Front-Challenge").stream().findFirst());
        }

        @Override
        boolean isAsked(Message message) {
            return message.request().header("X-Front-Challenge").size() == 1;
        }
    },
    /** The first event of a batch is a validation of the subscription; its code comes back. */
    EVENT_GRID("/0/eventType", "Microsoft.EventGrid.SubscriptionValidationEvent") {
        @Override
        Resolution answer(Message message, HandshakeSupport support) {
            return text(message, "/0/data/validationCode")
                    .filter(it -> Challenge.ECHOED.matcher(it).matches())
                    .<Resolution>map(
                            it -> new Resolution.DirectReply(reply(JSON, "{\"validationResponse\":\"" + it + "\"}")))
                    .orElse(MALFORMED);
        }
    },
    /** A topic asks whether it may send: confirmed by a call of its address, where the source says so. */
    SNS("/Type", "SubscriptionConfirmation") {
        @Override
        Resolution answer(Message message, HandshakeSupport support) {
            return text(message, "/SubscribeURL").filter(support.confirm()).isPresent()
                    ? new Resolution.DirectReply(reply("text/plain", "confirmed"))
                    : new Resolution.DirectReply(new Reply(
                            "subscription refused", 403, "text/plain", "The subscription was not confirmed."));
        }
    };

    private static final String JSON = "application/json";
    private static final Resolution MALFORMED = new Resolution.NoKey("The handshake is malformed.");

    /** Anything else could be the content of a webhook, and the answer would be its signature. */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{1,128}");

    /** No handshake is longer, and a long body is not parsed for it. */
    private static final int LONGEST = 65_536;

    private final String kind;
    private final String asked;

    Handshake(String kind, String asked) {
        this.kind = kind;
        this.asked = asked;
    }

    abstract Resolution answer(Message message, HandshakeSupport support);

    Optional<Resolution> look(Message message, HandshakeSupport support) {
        return isAsked(message) ? Optional.of(answer(message, support)) : Optional.empty();
    }

    boolean isAsked(Message message) {
        return message.body().length <= LONGEST && text(message, kind).equals(Optional.of(asked));
    }

    private static Optional<String> text(Message message, String pointer) {
        return message.json().flatMap(it -> it.text(pointer));
    }

    private static Resolution echo(Optional<String> challenge) {
        return challenge
                .filter(it -> Challenge.ECHOED.matcher(it).matches())
                .<Resolution>map(it -> new Resolution.DirectReply(reply("text/plain", it)))
                .orElse(MALFORMED);
    }

    private static Reply reply(String mediaType, String text) {
        return new Reply("handshake", 200, mediaType, text);
    }

    private static String signed(String token, String signature) {
        return JsonProviders.JSON
                .createObjectBuilder()
                .add("plainToken", token)
                .add("encryptedToken", signature)
                .build()
                .toString();
    }
}

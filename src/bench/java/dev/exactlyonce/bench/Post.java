package dev.exactlyonce.bench;

import java.nio.charset.StandardCharsets;

/** A delivery's request as bytes, made once, with a place in it for each delivery's own key. One connection's own. */
final class Post {
    private static final int KEY_DIGITS = 16;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /** About 200 bytes. */
    static final String EVENT = """
            {"id":"evt_1OqL2KExactlyOnce","type":"payment_intent.succeeded","created":1709912345,"data":{"object":\
            {"id":"pi_3OqL2K","amount":4200,"currency":"eur","customer":"cus_Pf8aXq","status":"succeeded"}}}""";

    private final byte[] bytes;
    private final int keyAt;

    Post(String path) {
        String head = String.join(
                "\r\n",
                "POST " + path + " HTTP/1.1",
                "Host: localhost",
                "Content-Type: application/json",
                "Content-Length: " + EVENT.length(),
                "Idempotency-Key: ");
        this.bytes = (head + "0".repeat(KEY_DIGITS) + "\r\n\r\n" + EVENT).getBytes(StandardCharsets.US_ASCII);
        this.keyAt = head.length();
    }

    /** The request of the delivery with this number, until the next call. */
    byte[] numbered(long number) {
        long rest = number;
        for (int i = keyAt + KEY_DIGITS - 1; i >= keyAt; i--) {
            bytes[i] = HEX[(int) (rest & 15)];
            rest >>>= 4;
        }
        return bytes;
    }
}

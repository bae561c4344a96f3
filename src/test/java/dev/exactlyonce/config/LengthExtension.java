package dev.exactlyonce.config;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * SHA-256 continued from a digest, without what it was made of: what anybody can do with {@code SHA-256(secret + content)}.
 */
public final class LengthExtension {
    private static final int BLOCK = 64;
    private static final int[] K = new int[BLOCK];

    static {
        for (int i = 0, prime = 2; i < BLOCK; prime++) {
            int it = prime;
            if (java.util.stream.IntStream.range(2, it).noneMatch(by -> it % by == 0)) {
                K[i++] = (int) (long) ((Math.cbrt(prime) % 1) * (1L << 32));
            }
        }
    }

    private LengthExtension() {}

    /** What stands between a content of this length and what follows it. */
    public static byte[] padding(int length) {
        int zeros = Math.floorMod(-(length + 9), BLOCK);
        return ByteBuffer.allocate(1 + zeros + 8)
                .put((byte) 0x80)
                .position(1 + zeros)
                .putLong(length * 8L)
                .array();
    }

    /**
     * The digest of a longer content.
     *
     * @param digest in hexadecimal, of a content of {@code length} bytes
     * @param suffix what follows that content and its padding
     */
    public static String extended(String digest, int length, byte[] suffix) {
        int before = length + padding(length).length;
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        rest.writeBytes(suffix);
        rest.writeBytes(padding(before + suffix.length));
        int[] state = new int[8];
        ByteBuffer.wrap(HexFormat.of().parseHex(digest)).asIntBuffer().get(state);
        ByteBuffer blocks = ByteBuffer.wrap(rest.toByteArray());
        while (blocks.hasRemaining()) {
            compress(state, blocks);
        }
        ByteBuffer out = ByteBuffer.allocate(32);
        out.asIntBuffer().put(state);
        return HexFormat.of().formatHex(out.array());
    }

    private static void compress(int[] state, ByteBuffer blocks) {
        int[] w = new int[BLOCK];
        for (int i = 0; i < BLOCK; i++) {
            if (i < 16) {
                w[i] = blocks.getInt();
                continue;
            }
            int s0 = Integer.rotateRight(w[i - 15], 7) ^ Integer.rotateRight(w[i - 15], 18) ^ (w[i - 15] >>> 3);
            int s1 = Integer.rotateRight(w[i - 2], 17) ^ Integer.rotateRight(w[i - 2], 19) ^ (w[i - 2] >>> 10);
            w[i] = w[i - 16] + s0 + w[i - 7] + s1;
        }
        int[] v = state.clone();
        for (int i = 0; i < BLOCK; i++) {
            int s1 = Integer.rotateRight(v[4], 6) ^ Integer.rotateRight(v[4], 11) ^ Integer.rotateRight(v[4], 25);
            int t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + K[i] + w[i];
            int s0 = Integer.rotateRight(v[0], 2) ^ Integer.rotateRight(v[0], 13) ^ Integer.rotateRight(v[0], 22);
            int t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
            System.arraycopy(v, 0, v, 1, 7);
            v[4] += t1;
            v[0] = t1 + t2;
        }
        for (int i = 0; i < 8; i++) {
            state[i] += v[i];
        }
    }
}

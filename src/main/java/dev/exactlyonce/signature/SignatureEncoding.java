package dev.exactlyonce.signature;

import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/** How a signature is written in its header. */
public enum SignatureEncoding {
    /** Two hexadecimal digits a byte, in either case. */
    HEX {
        @Override
        byte[] parse(String text) {
            return HexFormat.of().parseHex(text);
        }
    },
    /** RFC 4648, section 4, with or without padding; no text but the one that an encoder writes. */
    BASE64 {
        @Override
        byte[] parse(String text) {
            return canonical(text, Base64.getDecoder(), Base64.getEncoder());
        }
    },
    /** RFC 4648, section 5, likewise. */
    BASE64URL {
        @Override
        byte[] parse(String text) {
            return canonical(text, Base64.getUrlDecoder(), Base64.getUrlEncoder());
        }
    };

    /** Those that a source may choose by itself. */
    public static SignatureEncoding[] offered() {
        return new SignatureEncoding[] {HEX, BASE64};
    }

    private static byte[] canonical(String text, Base64.Decoder decoder, Base64.Encoder encoder) {
        byte[] bytes = decoder.decode(text);
        if (!encoder.encodeToString(bytes).equals(text)
                && !encoder.withoutPadding().encodeToString(bytes).equals(text)) {
            throw new IllegalArgumentException("its last bits are not zero");
        }
        return bytes;
    }

    abstract byte[] parse(String text);

    /** Nothing when the text is not of this encoding. */
    Optional<byte[]> decode(String text) {
        try {
            return Optional.of(parse(text));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }
}

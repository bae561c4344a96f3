package dev.exactlyonce.sender.http;

import java.net.UnknownHostException;

/** The name is known, but none of its addresses may be called. The message contains neither. */
final class AddressRefusedException extends UnknownHostException {
    private static final long serialVersionUID = 1;

    AddressRefusedException() {
        super("no address that may be called");
    }
}

package dev.exactlyonce.sender.http;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Finds a host's addresses. */
@FunctionalInterface
interface HostLookup {
    /** @param host a name, or an address in any spelling */
    InetAddress[] addressesOf(String host) throws UnknownHostException;
}

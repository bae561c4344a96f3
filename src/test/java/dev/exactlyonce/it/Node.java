package dev.exactlyonce.it;

/** Where the test servers listen: another build on the same machine takes other ports, {@code -DnodeA.port=9281}. */
final class Node {
    static final int A = Integer.getInteger("nodeA.port");
    static final int B = Integer.getInteger("nodeB.port");

    private Node() {}

    /** The address of server A, with this path. */
    static String a(String path) {
        return "http://localhost:" + A + path;
    }

    /** The address of server B, with this path. */
    static String b(String path) {
        return "http://localhost:" + B + path;
    }
}

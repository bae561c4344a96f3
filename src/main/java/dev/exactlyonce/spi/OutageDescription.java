package dev.exactlyonce.spi;

/**
 * What readiness and the log show while a store is unavailable.
 *
 * <pre>{@code
 * new OutageDescription("example store unavailable (running in-memory)", "check the server; the log names the cause")
 * }</pre>
 *
 * @param reason what happened and what it means for deliveries; without secrets, addresses and paths
 * @param hint what an operator can check; names settings, never their values
 * @since 0.1.0
 */
public record OutageDescription(String reason, String hint) {}

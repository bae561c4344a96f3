package dev.exactlyonce.guard;

/**
 * How a store's outage is named.
 *
 * @param reason the degraded fact's reason
 * @param hint what to check; names settings, never their values
 * @param standIn the store that stands in meanwhile
 */
public record OutageTexts(String reason, String hint, String standIn) {}

package dev.exactlyonce.guard;

/**
 * How a store's absence is told.
 *
 * @param reason the degraded fact's reason
 * @param hint what to look at; names settings, never their values
 * @param standIn the store that stands in meanwhile
 */
public record OutageTexts(String reason, String hint, String standIn) {}

package dev.exactlyonce.event;

/**
 * Why a delivery was refused before the store was asked.
 *
 * @since 0.1
 */
public enum RefusalReason {
    /** The body is larger than {@code max-body-size}: answered 413. */
    TOO_LARGE,
    /** The signature is missing, wrong or too old: answered 401. */
    UNVERIFIED,
    /** There is no usable idempotency key: answered 400. */
    UNKEYED
}

package dev.exactlyonce.admission;

/**
 * What acquiring and ending claims have in common.
 *
 * @param listener throws nothing
 */
record AdmissionParts(GuardedStore store, LocalClaims localClaims, Leases leases, AdmissionListener listener) {}

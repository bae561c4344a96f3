/**
 * Internal, subject to change: how a delivery is admitted. Read {@link dev.exactlyonce.admission.AdmissionEngine} first; no
 * class here depends on a framework.
 */
@NullMarked
package dev.exactlyonce.admission;

import org.jspecify.annotations.NullMarked;

/** The story and its words. {@link dev.exactlyonce.admission.AdmissionEngine} is read first; nothing here knows a framework. */
@NullMarked
package dev.exactlyonce.admission;

import org.jspecify.annotations.NullMarked;

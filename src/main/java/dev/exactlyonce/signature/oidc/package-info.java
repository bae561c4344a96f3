/**
 * Internal, subject to change: deliveries that carry an OpenID Connect token. The only package that depends on a JOSE library;
 * loaded when it is chosen.
 */
@NullMarked
package dev.exactlyonce.signature.oidc;

import org.jspecify.annotations.NullMarked;

/** Deliveries that a token of OpenID Connect vouches for. The only room that knows a JOSE library, loaded when chosen. */
@NullMarked
package dev.exactlyonce.signature.oidc;

import org.jspecify.annotations.NullMarked;

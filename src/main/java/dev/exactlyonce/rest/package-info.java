/** Request to delivery, decision to answer: the only room, with deploy and gateway, that speaks JAX-RS. */
@NullMarked
package dev.exactlyonce.rest;

import org.jspecify.annotations.NullMarked;

/**
 * How JAX-RS sees a class and a request; request to delivery, decision to answer: the only package, with deploy and
 * gateway, that speaks JAX-RS.
 */
@NullMarked
package dev.exactlyonce.rest;

import org.jspecify.annotations.NullMarked;

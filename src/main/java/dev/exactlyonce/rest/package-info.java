/**
 * Internal, subject to change: how JAX-RS sees a class and a request; from a request to a delivery, and from a decision to a
 * response. With deploy and gateway, the only packages that depend on JAX-RS.
 */
@NullMarked
package dev.exactlyonce.rest;

import org.jspecify.annotations.NullMarked;

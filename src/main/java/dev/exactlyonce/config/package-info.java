/**
 * Internal, subject to change: every setting, its default, its check and its documentation. The only package that depends on
 * MicroProfile Config.
 */
@NullMarked
package dev.exactlyonce.config;

import org.jspecify.annotations.NullMarked;

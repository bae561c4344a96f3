/** The only room that knows MicroProfile Config: every setting, its default, its check and its documentation. */
@NullMarked
package dev.exactlyonce.config;

import org.jspecify.annotations.NullMarked;

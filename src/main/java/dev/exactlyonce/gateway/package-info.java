/** Internal, subject to change: the WAR's own resources, a ready-made receiver of webhooks. Not in the library. */
@NullMarked
package dev.exactlyonce.gateway;

import org.jspecify.annotations.NullMarked;

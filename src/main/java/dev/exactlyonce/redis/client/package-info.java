/**
 * Internal: commands to Redis over shared connections, of which a store needs more throughput and shorter waits than a client
 * per command gives. {@code PipelinedClient} is to be read first.
 */
@NullMarked
package dev.exactlyonce.redis.client;

import org.jspecify.annotations.NullMarked;

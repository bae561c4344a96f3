/**
 * The CDI events of the receiving side: flat records that hold API and JDK types only.
 *
 * <p>Observe one record, or a sealed interface for all of them:
 *
 * <pre>{@code
 * @ApplicationScoped
 * class DeliveryAudit {
 *     void duplicate(@Observes DuplicateDelivered event) {
 *         LOG.log(INFO, "{0} sent {1} again", event.source(), event.keyDigest());
 *     }
 *
 *     void any(@Observes DeliveryEvent event) {
 *         counters.increment(event.source(), event.getClass().getSimpleName());
 *     }
 *
 *     void degraded(@Observes StoreDegraded event) {
 *         pager.notify(event.reason(), event.hint());
 *     }
 * }
 * }</pre>
 *
 * <p>Events are fired synchronously. An observer should not block; what it throws is logged and changes nothing
 * about the delivery. Events are not stored: those of a process that ends are lost. They report, they are not part of the
 * guarantee.
 *
 * @since 0.1
 */
@NullMarked
package dev.exactlyonce.event;

import org.jspecify.annotations.NullMarked;

package dev.exactlyonce;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import jakarta.enterprise.util.Nonbinding;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.Documented;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/**
 * Admits each webhook delivery to a JAX-RS resource method once.
 *
 * <pre>
 * &#64;POST
 * &#64;ExactlyOnce("billing")
 * public Response receive(Invoice invoice) {
 *     ledger.book(invoice);
 *     return Response.noContent().build();
 * }
 * </pre>
 *
 * <p>What happens to a request, in this order:
 *
 * <ol>
 *   <li>It is matched and authorized as usual.
 *   <li>Its body is read once, up to {@code max-body-size}; its idempotency key is found by the key expressions.
 *   <li>The key is reserved in the store, for the length of the lease. A copy of a delivery that still runs is answered
 *       409, a copy of a recorded one {@code 200 {"status":"duplicate"}}; neither reaches the method. With {@code
 *       duplicate=replay} that copy gets the first one's answer, with {@code duplicate=forward} it reaches the method, and
 *       {@link Delivery#isDuplicate()} says so.
 *   <li>The method runs, inside its transaction, retries and interceptors.
 *   <li>A normal return with a 2xx is recorded and kept for the TTL. Anything else (an exception, also one that a
 *       mapper makes a 2xx; a 3xx, 4xx or 5xx; a stage that fails) releases the key, so that the sender's retry runs,
 *       unless the source's {@code record-on} keeps it.
 * </ol>
 *
 * <p><strong>Transactions.</strong> The record follows the commit of the method's own transaction. When a transaction that
 * the container began around a method (this one, or one of a bean that it calls on its own thread) ends rolled back although
 * that method returned normally, the delivery has failed: it is answered 500. An exception is the caller's to judge, and a
 * transaction that the handler rolls back through {@code UserTransaction} is its own decision; what is rolled back on
 * other threads is not seen.
 *
 * <table>
 * <caption>The result of a delivery whose method returns normally</caption>
 * <tr><th>a transaction is rolled back since</th><th>the delivery</th></tr>
 * <tr><td>its method, {@code @Transactional}, marked it so</td><td>failed</td></tr>
 * <tr><td>a method that joined it threw, and the exception was caught</td><td>failed</td></tr>
 * <tr><td>a bean or session bean that was called marked its own so, and returned</td><td>failed</td></tr>
 * <tr><td>its timeout passed</td><td>failed</td></tr>
 * <tr><td>a bean with a transaction of its own threw, and the exception was caught</td><td>succeeded</td></tr>
 * <tr><td>the handler called {@code UserTransaction.rollback()}</td><td>succeeded</td></tr>
 * </table>
 *
 * <p><strong>On a class</strong> it covers the POST, PUT, PATCH and DELETE methods; everything else passes through. A
 * method's annotation replaces the class's whole. On a GET method, on an interface or on a class that is not a JAX-RS
 * resource it stops the deployment. A covered class's locators must lead to methods that are covered, too: an uncovered
 * POST, PUT, PATCH or DELETE below it stops the deployment, or is answered 500 where only the request shows it.
 *
 * <p><strong>A sub-resource</strong> is another endpoint on each way that leads to it: the same key at {@code
 * /orders/hooks} and {@code /billing/hooks} is two deliveries. A path parameter's values are one endpoint: take {@code
 * path:tenant} into the key where two tenants may send the same id.
 *
 * <p><strong>What it does not do.</strong> It does not make effects atomic with the record: a process that dies after
 * its effect and before the record runs the handler again once the lease has ended. While the store is unavailable, and
 * {@code on-outage} is {@code admit} (the default), a copy on another replica may run too. It does not cover calls of the
 * method from other code: such a call throws an {@link IllegalStateException}; use {@link ExactlyOnceRunner}.
 * (A call through {@code this} is plain Java, which no container sees.) What a {@code StreamingOutput} writes comes after
 * the record. A handler
 * that runs longer than the lease may run beside a second one on another replica.
 *
 * <p>A redelivery is known by its idempotency key; see the <a
 * href="https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/">Idempotency-Key header draft</a> and
 * <a href="https://www.standardwebhooks.com/">Standard Webhooks</a>, whose headers are the default.
 *
 * @since 0.1.0
 */
@InterceptorBinding
@Inherited
@Documented
@Retention(RUNTIME)
@Target({TYPE, METHOD})
public @interface ExactlyOnce {
    /**
     * The name of the source, {@code [a-z][a-z0-9-]{0,62}}; its settings are {@code exactlyonce.source.<name>.*}. A
     * literal declares the source. <code>{param}</code> takes the value of that path parameter, which must be a
     * declared source: one of {@code exactlyonce.sources} or a literal of another annotation; any other value is answered
     * 404. The parameter may be a locator's.
     */
    @Nonbinding
    String value() default "default";

    /**
     * Key expressions, one a part of the key, in order; empty takes the source's own ({@code
     * exactlyonce.source.<name>.key}). An expression is {@code header:Name}, {@code query:name}, {@code path:name},
     * {@code form:name}, {@code json:/rfc6901/pointer} or {@code body} (the SHA-256 of the raw body); alternatives are
     * separated by <code>|</code>, and a missing or blank one tries the next.
     */
    @Nonbinding
    String[] key() default {};

    /**
     * When the delivery's work is done. The default, {@link Mode#SOURCE}, takes the source's own ({@code
     * exactlyonce.source.<name>.mode}).
     */
    @Nonbinding
    Mode mode() default Mode.SOURCE;
}

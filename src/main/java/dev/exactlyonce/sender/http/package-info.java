/**
 * Internal: attempts over HTTP/1.1 with Apache HttpClient 5, an optional dependency: {@link
 * dev.exactlyonce.sender.http.ApacheTransport}. Names are resolved here, so that what was vetted is what is called.
 */
@NullMarked
package dev.exactlyonce.sender.http;

import org.jspecify.annotations.NullMarked;

/**
 * The thin adapter that serves a {@link dev.vigil.directory.exchange.Site} over HTTP, and what
 * every HTTP answer has in common: headers that protect the page, errors without insides.
 *
 * <p>Each request runs on a virtual thread of its own, which waits for the site's answer. Nothing
 * here is shared between requests.
 */
@NullMarked
package dev.vigil.gateway.http;

import org.jspecify.annotations.NullMarked;

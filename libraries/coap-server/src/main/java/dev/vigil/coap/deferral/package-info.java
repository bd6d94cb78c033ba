/**
 * Steps of requests that wait until their worker has begun the requests that were already queued:
 * {@link dev.vigil.coap.deferral.Deferral}.
 *
 * <p>Threads: each worker has its own deferred steps, which only this worker adds and runs.
 */
@NullMarked
package dev.vigil.coap.deferral;

import org.jspecify.annotations.NullMarked;

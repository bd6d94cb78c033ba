/**
 * The parts that the fast path and Californium's path share ({@link
 * dev.vigil.coap.dispatch.RequestContext}), the worker threads, and the order of requests.
 *
 * <p>Threads: {@link dev.vigil.coap.dispatch.WorkerPool} owns the worker threads and one timer
 * thread for scheduled tasks. {@link dev.vigil.coap.dispatch.KeyedSerialExecutor} runs the changing
 * requests of one key on that pool, one at a time. Steps that requests defer run on the same
 * worker, before it ends or another worker runs a task of their key. {@link
 * dev.vigil.coap.dispatch.SeparateResponseTimer} runs on the timer that it is given.
 */
@NullMarked
package dev.vigil.coap.dispatch;

import org.jspecify.annotations.NullMarked;

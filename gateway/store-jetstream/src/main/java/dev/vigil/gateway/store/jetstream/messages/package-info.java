/**
 * A stream seen from outside its messages: their subjects, the consumer that delivers them, and the
 * changes that a stream lacks.
 *
 * <p>Threads: {@link dev.vigil.gateway.store.jetstream.messages.StreamConsumer} says who may use
 * it; the functions keep no state.
 */
@NullMarked
package dev.vigil.gateway.store.jetstream.messages;

import org.jspecify.annotations.NullMarked;

/**
 * The contact with the leader of a stream: its time, how far it is, and which servers have the
 * stream.
 *
 * <p>Threads: {@code cluster-contact} ({@link
 * dev.vigil.gateway.store.jetstream.contact.StreamContact}) asks the leader. Any thread may read
 * what it answered.
 */
@NullMarked
package dev.vigil.gateway.store.jetstream.contact;

import org.jspecify.annotations.NullMarked;

/**
 * The store of several gateways: a stream of a NATS JetStream cluster as the log, and a replica of
 * it in SQLite on each gateway, from which everything is read.
 *
 * <p>Threads: {@code cluster} ({@link dev.vigil.gateway.store.jetstream.SubmitterThread}) decides
 * submitted batches, sends them and handles answers; it owns the lanes. {@code replica} ({@link
 * dev.vigil.gateway.store.jetstream.LogFollower}) reads the stream in order and hands each message
 * to the replica's thread {@code store}, which applies it, calls the followers of the feed, then
 * completes the futures. Refusals complete on {@code cluster}. The client library's threads only
 * put answers into the queue of {@code cluster}. {@code snapshots} is described in its package.
 * {@code cluster-contact} ({@link dev.vigil.gateway.store.jetstream.contact.StreamContact}) asks
 * the stream's leader how far it is.
 *
 * <p>Messages are removed from the stream while all of this goes on ({@link
 * dev.vigil.gateway.store.jetstream.messages.StreamStart}):
 *
 * <ul>
 *   <li>Removal between a decision and its message: the servers report another last sequence, 0.
 *       The submitter asks for the subject's last message and then for the oldest one of the
 *       stream. If the oldest message is later than the one of the decision, the submitter sends
 *       its message again and expects 0. Otherwise the servers have lost a message.
 *   <li>Removal while an outcome is unknown: the message was stored at a position that is removed
 *       now. The replica applies the message at that position before 0 may be expected, and that
 *       message then decides. If the replica can no longer receive it, the gateway ends, and the
 *       snapshot has it.
 *   <li>Another gateway's message that was removed too: 0 is expected only if the replica has
 *       applied everything before the oldest message, so it has that message, and the batch is
 *       decided again.
 *   <li>A decision that is older than the window, of a gateway that was suspended: the servers
 *       accept it. It has no effect, because every replica that is filled sees that it was decided
 *       before the endpoint's newest message. A replica that runs cannot tell it from a loss and
 *       ends.
 *   <li>Removal between the check of a replica and its opening: the follower finds that the stream
 *       begins after the replica and ends the process. The next start begins with a snapshot.
 *   <li>Removal of the replica's newest message: it cannot be compared. A running follower
 *       continues if the next message is there; a start begins with a snapshot unless a snapshot
 *       ends at that very message.
 *   <li>A stream that a gateway creates again with the permission of an operator ({@code adopt}):
 *       it begins after the replica of that gateway. Nothing was removed from it, so no snapshot is
 *       needed and everything is compared.
 * </ul>
 */
@NullMarked
package dev.vigil.gateway.store.jetstream;

import org.jspecify.annotations.NullMarked;

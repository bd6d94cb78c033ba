/**
 * Tests of destinations: an administrator has one marked message sent and sees the answer of the
 * other side.
 *
 * <p>Threads: the thread of a request sends the message and waits for the answer.
 */
@NullMarked
package dev.vigil.gateway.northbound.probe;

import org.jspecify.annotations.NullMarked;

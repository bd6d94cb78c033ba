/**
 * The evaluation of rules, which raises and clears alarms.
 *
 * <p>Threads: the thread {@code alarms} evaluates the rules four times a second, but only for
 * endpoints that changed or are due; the store's feed thread notes which changed. In a cluster, one
 * gateway runs it. The thread {@code own-alarms} of each gateway in a cluster evaluates what only
 * that gateway can see.
 */
@NullMarked
package dev.vigil.gateway.alarms.evaluation;

import org.jspecify.annotations.NullMarked;

/**
 * Alarms by e-mail, over SMTP with TLS: a message for the changes of a page of the feed, so that a
 * burst of alarms becomes few messages.
 *
 * <p>Threads: a destination's own thread alone.
 */
@NullMarked
package dev.vigil.gateway.northbound.email;

import org.jspecify.annotations.NullMarked;

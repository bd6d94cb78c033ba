/**
 * Alarms by e-mail, over SMTP with TLS. One message reports all changes in a page of the feed, so
 * that a burst of alarms becomes few messages.
 *
 * <p>Threads: only the destination's own thread.
 */
@NullMarked
package dev.vigil.gateway.northbound.email;

import org.jspecify.annotations.NullMarked;

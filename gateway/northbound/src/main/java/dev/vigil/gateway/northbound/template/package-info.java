/**
 * Bodies of webhooks that the settings describe: logic-less templates (Mustache), whose names are
 * filled from an event. A template is checked before its first use, so that a gateway with a wrong
 * one does not start.
 *
 * <p>Threads: all types are immutable or stateless, and thread-safe.
 */
@NullMarked
package dev.vigil.gateway.northbound.template;

import org.jspecify.annotations.NullMarked;

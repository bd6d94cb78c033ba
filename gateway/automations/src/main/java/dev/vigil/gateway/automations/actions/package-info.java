/**
 * The actions of automations: signed commands, events of webhooks and messages of brokers. Any
 * thread may send, and waits for the result.
 */
@NullMarked
package dev.vigil.gateway.automations.actions;

import org.jspecify.annotations.NullMarked;

package dev.vigil.gateway.northbound.webhook;

/**
 * An event that a server refused permanently.
 *
 * @param webhook name of the webhook in the settings
 * @param event the whole event; empty when it is too long for a record
 */
record DeadLetter(String webhook, String eventId, String type, String event) {
  DeadLetter withoutEvent() {
    return new DeadLetter(webhook, eventId, type, "");
  }
}

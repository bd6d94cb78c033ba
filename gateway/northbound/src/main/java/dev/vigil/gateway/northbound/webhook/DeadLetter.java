package dev.vigil.gateway.northbound.webhook;

/**
 * An event that a server refused for good.
 *
 * @param webhook its name in the settings
 * @param event the whole event; empty when it is too long for a record
 */
record DeadLetter(String webhook, String eventId, String type, String event) {}

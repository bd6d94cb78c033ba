package dev.vigil.gateway.automations.actions;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Automations.
 *
 * @param commanderKey a file with a commander's private JWK, with which the gateway signs the
 *     commands of automations; only its owner may read the file. Empty: automations cannot send
 *     commands
 */
public record AutomationProperties(@DefaultValue("") String commanderKey) {}

package dev.vigil.gateway.automations.rules;

import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An action.
 *
 * @param ep endpoint of a command; otherwise absent
 * @param path resource of a command, percent-encoded; otherwise absent
 * @param value of a command: a number, a boolean or a text of at most 200 characters
 * @param expiresSeconds after which a command expires, 60 to 604800; absent: an hour
 * @param destination name of a webhook or of a broker in the settings
 * @param topic of a message, without wildcards
 * @param payload of a message: a text of at most 1024 octets
 * @param text of a webhook's event, at most 200 characters; absent: the name of the automation
 */
@Schema(name = "AutomationAction")
public record AutomationAction(
    ActionKind kind,
    @Nullable String ep,
    @Nullable String path,
    @Schema(types = {"number", "string", "boolean"}) @Nullable Object value,
    @Nullable Long expiresSeconds,
    @Nullable String destination,
    @Nullable String topic,
    @Nullable String payload,
    @Nullable String text) {}

package dev.vigil.mirror.state;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.mirror.model.RegistrationRequest;

/**
 * A plain registration that awaits its first valid update.
 *
 * @param source the client that registered
 * @param high H of the name at registration
 * @param expires unix time in seconds
 */
public record UnprovenRegistration(
    String id, RegistrationRequest request, Caller source, long high, long expires) {}

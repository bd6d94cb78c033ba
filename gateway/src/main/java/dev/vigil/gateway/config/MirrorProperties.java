package dev.vigil.gateway.config;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * @param base scheme and authority under which the directory publishes mirrored endpoints, for
 *     instance {@code coap://[2001:db8::1]}; empty: the first CoAP address
 */
public record MirrorProperties(@DefaultValue("") String base) {}

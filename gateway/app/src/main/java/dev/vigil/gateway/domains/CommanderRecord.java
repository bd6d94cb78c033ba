package dev.vigil.gateway.domains;

import org.jspecify.annotations.Nullable;

/**
 * A key that may sign commands in a domain, stored by an administrator.
 *
 * @param d domain, empty for the one without a name
 * @param jwk the public key as JWK text
 * @param name for people, for instance whose browser has the key
 * @param by label of the administrator
 */
record CommanderRecord(String d, String jkt, String jwk, @Nullable String name, String by) {}

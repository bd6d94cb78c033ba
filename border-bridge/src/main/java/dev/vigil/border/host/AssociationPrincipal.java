package dev.vigil.border.host;

import java.security.Principal;

/**
 * A peer whose datagram came in AH or ESP: the address in its context is its own.
 *
 * @param getName the address
 */
public record AssociationPrincipal(String getName) implements Principal {}

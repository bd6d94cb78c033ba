package dev.vigil.border.host;

import java.security.Principal;

/**
 * A peer whose datagram came in AH or ESP, so that its source address is authenticated.
 *
 * @param getName the address
 */
public record AssociationPrincipal(String getName) implements Principal {}

package dev.vigil.gateway.access;

import java.util.List;

/**
 * Who may do what in a domain, besides operators, who may do everything.
 *
 * @param register new endpoints; what they send later is signed by the key that registered
 * @param read values and lookups
 * @param command hand in commands, which a commander's key must have signed besides
 */
public record DomainPolicy(List<String> register, List<String> read, List<String> command) {
  public DomainPolicy {
    register = List.copyOf(register);
    read = List.copyOf(read);
    command = List.copyOf(command);
  }
}

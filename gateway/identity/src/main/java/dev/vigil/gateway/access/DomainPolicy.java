package dev.vigil.gateway.access;

import java.util.List;

/**
 * The principals allowed in a domain: anyone, identified, or labels. Accounts are permitted more by
 * their roles.
 *
 * @param register who may register endpoints; later updates are signed by the registered key
 * @param read who may read values and look up
 * @param command who may submit commands, which a commander's key must have signed too
 */
public record DomainPolicy(List<String> register, List<String> read, List<String> command) {
  public DomainPolicy {
    register = List.copyOf(register);
    read = List.copyOf(read);
    command = List.copyOf(command);
  }
}

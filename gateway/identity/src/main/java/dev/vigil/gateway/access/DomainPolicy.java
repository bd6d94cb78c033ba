package dev.vigil.gateway.access;

import java.util.List;

/**
 * The principals allowed in a domain: anyone, identified, or labels. Roles may give accounts more
 * rights.
 *
 * @param register who may register endpoints; the registered key signs later updates
 * @param read who may read values and look up
 * @param command who may submit commands; a commander's key must also have signed them
 */
public record DomainPolicy(List<String> register, List<String> read, List<String> command) {
  public DomainPolicy {
    register = List.copyOf(register);
    read = List.copyOf(read);
    command = List.copyOf(command);
  }
}

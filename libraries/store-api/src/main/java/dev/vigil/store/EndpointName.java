package dev.vigil.store;

/**
 * The name of an endpoint (RFC 9176 section 5).
 *
 * @param ep the endpoint name
 * @param d the sector, which is the administrative domain; empty when there is none
 */
public record EndpointName(String ep, String d) {
  public EndpointName {
    if (ep.isEmpty()) {
      throw new IllegalArgumentException("an endpoint name is not empty");
    }
  }

  /**
   * Whether the software itself uses the name, for state that concerns no endpoint. {@link
   * NameGrammar} refuses such names in requests.
   */
  public boolean isReserved() {
    return ep.startsWith(".");
  }

  @Override
  public String toString() {
    return d.isEmpty() ? ep : ep + " in " + d;
  }
}

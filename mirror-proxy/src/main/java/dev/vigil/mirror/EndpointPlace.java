package dev.vigil.mirror;

import java.util.Comparator;

/** Where an endpoint stands in lists, which are in the order of domains, names and ids. */
public record EndpointPlace(String d, String ep, String id) implements Comparable<EndpointPlace> {
  private static final Comparator<EndpointPlace> ORDER =
      Comparator.comparing(EndpointPlace::d)
          .thenComparing(EndpointPlace::ep)
          .thenComparing(EndpointPlace::id);

  @Override
  public int compareTo(EndpointPlace other) {
    return ORDER.compare(this, other);
  }
}

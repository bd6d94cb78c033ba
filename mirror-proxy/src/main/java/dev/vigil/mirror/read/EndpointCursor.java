package dev.vigil.mirror.read;

import java.util.Comparator;

/** The position of an endpoint in lists, which are ordered by domain, name and id. */
public record EndpointCursor(String d, String ep, String id) implements Comparable<EndpointCursor> {
  private static final Comparator<EndpointCursor> ORDER =
      Comparator.comparing(EndpointCursor::d)
          .thenComparing(EndpointCursor::ep)
          .thenComparing(EndpointCursor::id);

  @Override
  public int compareTo(EndpointCursor other) {
    return ORDER.compare(this, other);
  }
}

package dev.vigil.gateway.dashboards;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The kinds of content that tiles show. */
public enum TileKind {
  /** The last value of one resource. */
  VALUE,
  /** The numbers of up to eight resources over time. */
  CHART,
  /** The state of one endpoint. */
  STATE,
  /** The states of all endpoints with a tag. */
  TAG,
  /** The radio network. */
  MESH,
  TEXT,
  /** Endpoints at their places in an image. */
  PLAN;

  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws IllegalArgumentException names all kinds
   */
  @JsonCreator
  public static TileKind of(String label) {
    for (TileKind kind : values()) {
      if (kind.label().equals(label)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("takes one of value, chart, state, tag, mesh, text, plan");
  }
}

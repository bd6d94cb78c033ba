package dev.vigil.gateway.api;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A server-sent event of a feature.
 *
 * @param name of the event, for instance {@code alarm}
 * @param id of the object that changed
 * @param d domain whose readers may see the event; null: operators of the gateway only
 * @param position in the store's feed
 * @param stored whether the change is in the store's feed. Otherwise the position only says how far
 *     the feed was when the change was seen, and no client may resume from it
 * @param data written as JSON; {@link Restricted} if it depends on the reader
 */
public record FeatureEvent(
    String name, String id, @Nullable String d, long position, boolean stored, Object data) {
  /** An event about a change in the store's feed. */
  public FeatureEvent(String name, String id, @Nullable String d, long position, Object data) {
    this(name, id, d, position, true, data);
  }

  /** Data that also names things of other domains than that of the event. */
  @FunctionalInterface
  public interface Restricted {
    /** The data without the things of domains that the reader may not look up. */
    Object within(Predicate<@Nullable String> visible);
  }

  /**
   * The data for a reader.
   *
   * @param visible whether the reader may look up a domain
   */
  public Object data(Predicate<@Nullable String> visible) {
    return data instanceof Restricted restricted ? restricted.within(visible) : data;
  }
}

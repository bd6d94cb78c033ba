package dev.vigil.mirror.read;

/**
 * Whether and when an endpoint was heard; cheaper than its view.
 *
 * @param trusted whether its key is trusted
 * @param keysWait whether any key awaits a decision on its name
 * @param heard arrival of the last registration or update, unix time in milliseconds
 * @param missingAfter silence after which it is {@link Freshness#MISSING}, in milliseconds
 */
public record Presence(
    String id,
    String ep,
    String d,
    boolean trusted,
    boolean keysWait,
    long heard,
    long missingAfter) {
  /**
   * Whether the endpoint is {@link Freshness#MISSING}, if it is trusted.
   *
   * @param now unix time in milliseconds
   */
  public boolean isMissing(long now) {
    return now >= missingAt();
  }

  /** The time at which an unheard endpoint becomes missing, unix time in milliseconds. */
  public long missingAt() {
    return heard + missingAfter;
  }
}

package dev.vigil.border.cost;

/**
 * A mote that wakes at a fixed interval and sends a message each time.
 *
 * @param payload octets of UDP payload, before any security
 * @param toHost whether an Internet host receives the message; otherwise the gateway does
 * @param hops from the mote to the gateway
 * @param wakeSeconds from one message to the next
 * @param milliampHours of the mote's battery
 */
public record Scenario(
    int payload, boolean toHost, int hops, long wakeSeconds, double milliampHours) {
  public static final int MAX_PAYLOAD = 1000;
  public static final int MAX_HOPS = 16;
  public static final long MAX_WAKE_SECONDS = 7 * 86_400;
  public static final int MAX_MILLIAMP_HOURS = 100_000;

  public Scenario {
    require(payload >= 0 && payload <= MAX_PAYLOAD, "payload", 0, MAX_PAYLOAD);
    require(hops >= 1 && hops <= MAX_HOPS, "hops", 1, MAX_HOPS);
    require(wakeSeconds >= 1 && wakeSeconds <= MAX_WAKE_SECONDS, "wake", 1, MAX_WAKE_SECONDS);
    // NaN is refused too.
    require(
        milliampHours >= 1 && milliampHours <= MAX_MILLIAMP_HOURS,
        "battery",
        1,
        MAX_MILLIAMP_HOURS);
  }

  private static void require(boolean holds, String name, long from, long to) {
    if (!holds) {
      throw new IllegalArgumentException("%s must be %d to %d".formatted(name, from, to));
    }
  }
}

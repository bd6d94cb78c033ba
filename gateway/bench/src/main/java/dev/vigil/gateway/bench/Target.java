package dev.vigil.gateway.bench;

/**
 * The targets of the project, in the order of the report. Those of {@code ingest} are for
 * processors with AVX-512 IFMA; on others 1.30 and 0.65 are expected.
 */
enum Target {
  INGEST_CPU("ingest.cpu_ratio", "us", Of.RATIO, Bound.AT_MOST, 0.85),
  INGEST_RATE("ingest.rate", "1/s", Of.RATIO, Bound.AT_LEAST, 1),
  INGEST_HEAP("ingest.heap_per_update", "KB", Of.VALUE, Bound.AT_MOST, 8),
  READ_CPU("read.cpu_ratio", "us", Of.RATIO, Bound.AT_MOST, 0.35),
  OBSERVE_FANOUT("observe.fanout", "us", Of.VALUE, Bound.AT_MOST, 5),
  REGISTER_CPU("rd.register_ratio", "us", Of.RATIO, Bound.AT_MOST, 3),
  REGISTER_CPU_AIOCOAP("rd.register_ratio.aiocoap", "us", Of.RATIO, Bound.AT_MOST, 0.05),
  LOOKUP_FLAT("rd.lookup_flat", "us", Of.RATIO, Bound.AT_MOST, 1.5),
  LOOKUP_CPU("rd.lookup_us", "us", Of.VALUE, Bound.AT_MOST, 100),
  DIRECTORY_BYTES("rd.bytes_per_endpoint", "B", Of.VALUE, Bound.AT_MOST, 800),
  MIRROR_BYTES("mirror.bytes_per_endpoint", "B", Of.VALUE, Bound.AT_MOST, 1400),
  CODEC("bridge.codec_ns", "ns", Of.VALUE, Bound.AT_MOST, 600),
  CODEC_ESP("bridge.codec_ns.esp", "ns", Of.VALUE, Bound.AT_MOST, 600),
  PIPELINE("bridge.pipeline_rate", "1/s", Of.VALUE, Bound.AT_LEAST, 200_000),
  PIPELINE_FRAGMENTED("bridge.pipeline_rate.fragmented", "1/s", Of.VALUE, Bound.AT_LEAST, 200_000),
  ESP_EXTRA("border.esp_extra_us", "us", Of.VALUE, Bound.AT_MOST, 3),
  HANDSHAKE_PSK("dtls.handshake_ratio.psk", "us", Of.RATIO, Bound.AT_MOST, 3.5),
  HANDSHAKE_ECDHE("dtls.handshake_ratio.ecdhe", "us", Of.RATIO, Bound.AT_MOST, 5),
  BOOT_READY("boot.ready_ms", "ms", Of.VALUE, Bound.AT_MOST, 1500),
  BOOT_RSS("boot.rss", "MB", Of.VALUE, Bound.AT_MOST, 200),
  RESTART("restart.recover", "s", Of.VALUE, Bound.AT_MOST, 2.5),
  CLUSTER_RATE("cluster.rate", "1/s", Of.RATIO, Bound.AT_LEAST, 0.3),
  CLUSTER_CPU("cluster.cpu_extra_us", "us", Of.VALUE, Bound.AT_MOST, 35),
  CLUSTER_LATENCY("cluster.latency_ms", "ms", Of.VALUE, Bound.AT_MOST, 8),
  CLUSTER_RESTART("cluster.restart", "s", Of.RATIO, Bound.AT_MOST, 1.1);

  /** The number that the limit applies to. */
  enum Of {
    VALUE,
    RATIO
  }

  enum Bound {
    AT_MOST,
    AT_LEAST
  }

  final String label;

  /** Unit of the value and of its reference. */
  final String unit;

  final Of of;
  private final Bound bound;
  private final double limit;

  Target(String label, String unit, Of of, Bound bound, double limit) {
    this.label = label;
    this.unit = unit;
    this.of = of;
    this.bound = bound;
    this.limit = limit;
  }

  boolean isMet(double figure) {
    return bound == Bound.AT_MOST ? figure <= limit : figure >= limit;
  }

  String text() {
    return (bound == Bound.AT_MOST ? "<=" : ">=") + Figure.number(limit);
  }
}

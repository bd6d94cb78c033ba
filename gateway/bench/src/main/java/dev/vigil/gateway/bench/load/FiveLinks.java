package dev.vigil.gateway.bench.load;

/** The five links that an endpoint of the directory's benches registers. */
public final class FiveLinks {
  private FiveLinks() {}

  /** Five links; ten endpoints share each of the first link's resource types. */
  public static String links(int i) {
    return "</sensors/temp>;rt=\"temperature-%d\";if=\"sensor\";ct=\"110 112\",".formatted(i / 10)
        + "</sensors/hum>;rt=\"humidity\";if=\"sensor\";ct=110,"
        + "</sensors/light>;rt=\"light-lux\";if=\"sensor\";ct=110,"
        + "</actuators/led>;rt=\"led\";if=\"actuator\","
        + "</fw>;rt=\"firmware\";sz=262144";
  }

  public static String query(int i) {
    return "ep=node-%08d&base=coap://[2001:db8::%x:%x]".formatted(i, i >>> 16, i & 0xffff);
  }
}

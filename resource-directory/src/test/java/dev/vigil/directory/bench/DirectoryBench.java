package dev.vigil.directory.bench;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Response;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.message.CoapSettings;
import dev.vigil.coap.server.Clocks;
import dev.vigil.coap.server.CoapServer;
import dev.vigil.directory.Directory;
import dev.vigil.directory.DirectoryConfig;
import dev.vigil.directory.LinkSources;
import dev.vigil.directory.publishing.PublishedLocation;
import dev.vigil.directory.registration.RegistrationLimits;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Run by hand; docs/resource-directory-benchmarks.md has commands and results. {@code memory N}
 * fills a directory with N endpoints of five links and prints heap and CPU per endpoint; {@code
 * lookup N} adds filtered lookups with ten matches; {@code serve PORT} serves a directory over CoAP
 * for {@link RegistrationLoad}.
 *
 * <p>The store holds nothing; the gateway's benches measure durable stores.
 */
final class DirectoryBench {
  private static final DirectoryConfig CONFIG =
      DirectoryConfig.standard(new PublishedLocation("", "/served", "/signers", ContentFormat.JWK))
          .with(
              RegistrationLimits.standard().withRegistrations(20_000_000).withRate(1_000_000, 60));

  private final Topics topics = new Topics();
  private final Directory directory =
      new Directory(
          new NoStore(),
          topics,
          (caller, action, domain) -> new Access.Allowed(),
          CONFIG,
          Clock.systemUTC(),
          LinkSources.NONE);
  private final RequestDispatcher dispatcher = new RequestDispatcher(directory.routes());
  private final Caller caller =
      Caller.anonymous(new InetSocketAddress(InetAddress.getLoopbackAddress(), 5683), true);

  private DirectoryBench() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    DirectoryBench bench = new DirectoryBench();
    switch (args[0]) {
      case "memory" -> bench.fill(Integer.parseInt(args[1]));
      case "lookup" -> {
        bench.fill(Integer.parseInt(args[1]));
        bench.lookUp(Integer.parseInt(args[1]));
      }
      case "serve" -> bench.serve(Integer.parseInt(args[1]));
      default -> throw new IllegalArgumentException("memory N | lookup N | serve PORT");
    }
  }

  /** Five links; ten endpoints share each of the first link's resource types. */
  static String links(int i) {
    return "</sensors/temp>;rt=\"temperature-%d\";if=\"sensor\";ct=\"110 112\",".formatted(i / 10)
        + "</sensors/hum>;rt=\"humidity\";if=\"sensor\";ct=110,"
        + "</sensors/light>;rt=\"light-lux\";if=\"sensor\";ct=110,"
        + "</actuators/led>;rt=\"led\";if=\"actuator\","
        + "</fw>;rt=\"firmware\";sz=262144";
  }

  static String query(int i) {
    return "ep=node-%08d&base=coap://[2001:db8::%x:%x]".formatted(i, i >>> 16, i & 0xffff);
  }

  private Request request(Method method, String path, String query, byte[] payload) {
    return new Request(
        method,
        Arrays.asList(path.split("/")),
        new Query(
            query.isEmpty()
                ? List.of()
                : Arrays.stream(query.split("&")).map(Query.Parameter::parse).toList()),
        payload.length == 0 ? null : ContentFormat.LINK_FORMAT,
        payload,
        List.of(),
        true,
        caller,
        "coap://127.0.0.1");
  }

  private Response ask(Method method, String path, String query, String payload) {
    return dispatcher
        .answer(request(method, path, query, payload.getBytes(StandardCharsets.UTF_8)))
        .join();
  }

  private void fill(int endpoints) throws InterruptedException {
    long before = heap();
    long cpu = cpu();
    for (int i = 0; i < endpoints; i++) {
      Response response = ask(Method.POST, "rd", query(i), links(i));
      if (!response.code().isSuccess()) {
        throw new IllegalStateException(new String(response.payload(), StandardCharsets.UTF_8));
      }
    }
    long spent = cpu() - cpu;
    System.out.printf(
        "%d endpoints: %d B of heap each, %.1f us of CPU to register one (no CoAP, no store)%n",
        endpoints, (heap() - before) / endpoints, spent / 1e3 / endpoints);
  }

  private void lookUp(int endpoints) {
    for (String kind : List.of("res", "ep")) {
      for (int round = 0; round < 3; round++) {
        int lookups = 30_000;
        long cpu = cpu();
        long octets = 0;
        for (int i = 0; i < lookups; i++) {
          int wanted = (int) (i * 2_654_435_761L % (endpoints / 10));
          Response response =
              ask(Method.GET, "rd-lookup/" + kind, "rt=temperature-" + Math.abs(wanted), "");
          octets += response.payload().length;
        }
        System.out.printf(
            "lookup %s at %d: %.1f us of CPU, %d octets%n",
            kind, endpoints, (cpu() - cpu) / 1e3 / lookups, octets / lookups);
      }
    }
  }

  private void serve(int port) throws IOException, InterruptedException {
    try (CoapServer front =
        CoapServer.open(
            dispatcher,
            topics,
            new CoapSettings(
                List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)),
                InetAddress::isLoopbackAddress,
                CoapSettings.Limits.standard()),
            List.of(),
            new Clocks(Clock.systemUTC(), System::nanoTime),
            new SecureRandom())) {
      System.out.println("ready " + front.addresses() + " pid " + ProcessHandle.current().pid());
      Thread.sleep(Duration.ofMinutes(5));
    }
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long heap() throws InterruptedException {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(100);
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}

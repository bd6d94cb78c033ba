package dev.vigil.gateway.bench.load;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Route;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.message.CoapSettings;
import dev.vigil.coap.server.Clocks;
import dev.vigil.coap.server.CoapServer;
import dev.vigil.directory.Directory;
import dev.vigil.directory.DirectoryConfig;
import dev.vigil.directory.LinkSources;
import dev.vigil.directory.publishing.PublishedLocation;
import dev.vigil.gateway.store.jetstream.ClusterOptions;
import dev.vigil.gateway.store.jetstream.JetStreamStore;
import dev.vigil.gateway.store.sqlite.SqliteStore;
import dev.vigil.mirror.MirrorConfig;
import dev.vigil.mirror.MirrorProxy;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.trust.MirrorIdentity;
import dev.vigil.signed.batch.BatchVerifier;
import dev.vigil.signed.jose.SignatureVerifier;
import dev.vigil.store.Store;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The measured process: CoAP front, directory, mirror, store. It prints its port. For each line of
 * its standard input it prints its allocated octets, and it ends with its input.
 */
public final class MirrorServer {
  public static final PublishedLocation PUBLISHED =
      new PublishedLocation("", "/ms", "/keys", ContentFormat.JWK);
  private static final Access EVERYBODY = (caller, action, domain) -> new Access.Allowed();

  /** The system property of a server that verifies signatures one by one. */
  private static final String ONE_BY_ONE = "vigil.bench.one-by-one";

  /**
   * The system property with the URLs of a cluster, separated by commas, of a server that uses one.
   */
  public static final String CLUSTER = "vigil.bench.cluster";

  private MirrorServer() {}

  static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    Clock clock = Clock.systemUTC();
    Topics topics = new Topics();
    try (Store store = store(folder);
        Directory directory = directory(store, topics, clock);
        MirrorProxy mirror = mirror(store, topics, clock, folder)) {
      List<Route> routes = new ArrayList<>(directory.routes());
      routes.addAll(mirror.routes());
      InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      CoapSettings settings =
          new CoapSettings(
              List.of(loopback), InetAddress::isLoopbackAddress, CoapSettings.Limits.standard());
      try (CoapServer front =
          CoapServer.open(
              new RequestDispatcher(routes),
              topics,
              settings,
              List.of(),
              new Clocks(clock, System::nanoTime),
              new SecureRandom())) {
        System.out.println(front.sockets().getFirst().getPort());
        while (System.in.read() > 0) {
          System.out.println(allocated());
        }
      }
    }
  }

  private static Store store(Path folder) {
    String servers = System.getProperty(CLUSTER, "");
    return servers.isEmpty()
        ? SqliteStore.open(folder, System::nanoTime)
        : JetStreamStore.open(
            new ClusterOptions(List.of(servers.split(",")), "bench"),
            folder,
            new SecureRandom(),
            System::nanoTime);
  }

  public static Directory directory(Store store, Topics topics, Clock clock) {
    return new Directory(
        store, topics, EVERYBODY, DirectoryConfig.standard(PUBLISHED), clock, LinkSources.NONE);
  }

  public static MirrorProxy mirror(Store store, Topics topics, Clock clock, Path folder) {
    SecureRandom random = new SecureRandom();
    SignatureVerifier provider = new SignatureVerifier(SignatureVerifier.Choice.AUTO);
    BatchVerifier signatures =
        Boolean.getBoolean(ONE_BY_ONE)
            ? BatchVerifier.none(provider)
            : BatchVerifier.open(provider, () -> {});
    return new MirrorProxy(
        new MirrorProxy.Dependencies(
            store, topics, EVERYBODY, clock, random, signatures, System::nanoTime),
        MirrorConfig.of(
            List.of(domain()), MirrorIdentity.load(folder.resolve("identity.json"), random)));
  }

  private static Domain domain() {
    // Only limits per minute are lifted, because a whole network of motes sends from one address.
    Domain.Limits limits =
        new Domain.Limits(
            8192,
            1_000_000,
            1000,
            16,
            64,
            1_000_000,
            1_000_000,
            30,
            16,
            1_000_000,
            0,
            Duration.ZERO,
            0);
    return Domain.of("", TrustPolicy.FIRST_USE).withLimits(limits);
  }

  private static long allocated() {
    var threads =
        (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
    return threads.getTotalThreadAllocatedBytes();
  }
}

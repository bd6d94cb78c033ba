package dev.vigil.gateway.bench;

import dev.vigil.directory.Directory;
import dev.vigil.directory.DirectoryConfig;
import dev.vigil.directory.coap.CoapFront;
import dev.vigil.directory.coap.CoapSettings;
import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Resource;
import dev.vigil.directory.exchange.Site;
import dev.vigil.directory.exchange.Topics;
import dev.vigil.directory.state.Store;
import dev.vigil.gateway.store.SqliteStore;
import dev.vigil.mirror.Domain;
import dev.vigil.mirror.MirrorConfig;
import dev.vigil.mirror.MirrorProxy;
import dev.vigil.mirror.TrustPolicy;
import dev.vigil.mirror.jose.Signatures;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The process that is measured: CoAP front, directory, mirror, SQLite. Prints its port, and ends
 * with its standard input; each line before that makes it print its allocated octets.
 */
final class MirrorServer {
  private static final Access EVERYBODY = (caller, action, domain) -> new Access.Allowed();

  private MirrorServer() {}

  static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    Clock clock = Clock.systemUTC();
    Topics topics = new Topics();
    try (Store store = SqliteStore.open(folder);
        Directory directory = directory(store, topics, clock);
        MirrorProxy mirror = mirror(store, topics, clock, folder)) {
      Map<String, Resource> resources = new HashMap<>(directory.resources());
      resources.putAll(mirror.resources());
      InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      CoapSettings settings =
          new CoapSettings(
              List.of(loopback), InetAddress::isLoopbackAddress, CoapSettings.Limits.standard());
      try (CoapFront front =
          CoapFront.open(
              new Site(resources), topics, settings, List.of(), clock, new SecureRandom())) {
        System.out.println(front.sockets().getFirst().getPort());
        while (System.in.read() > 0) {
          System.out.println(allocated());
        }
      }
    }
  }

  static Directory directory(Store store, Topics topics, Clock clock) {
    return new Directory(
        store, topics, EVERYBODY, DirectoryConfig.standard(), clock, List.of(), Optional.empty());
  }

  static MirrorProxy mirror(Store store, Topics topics, Clock clock, Path folder) {
    return new MirrorProxy(
        store,
        topics,
        EVERYBODY,
        MirrorConfig.of(List.of(domain()), folder.resolve("identity.json")),
        clock,
        new SecureRandom(),
        new Signatures(Signatures.Choice.AUTO));
  }

  private static Domain domain() {
    Domain usual = Domain.of("", TrustPolicy.FIRST_USE);
    // Only what counts per minute is lifted: a whole network of motes sends from one address.
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
    return new Domain(
        "",
        usual.trust(),
        usual.listed(),
        usual.commanders(),
        true,
        false,
        usual.window(),
        usual.history(),
        usual.maxClockSkew(),
        usual.maxDelay(),
        usual.defaultWake(),
        true,
        limits);
  }

  private static long allocated() {
    var threads =
        (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
    return threads.getTotalThreadAllocatedBytes();
  }
}

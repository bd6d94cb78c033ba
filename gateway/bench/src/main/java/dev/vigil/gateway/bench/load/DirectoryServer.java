package dev.vigil.gateway.bench.load;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.coap.exchange.Topics;
import dev.vigil.coap.message.CoapSettings;
import dev.vigil.coap.server.Clocks;
import dev.vigil.coap.server.CoapServer;
import dev.vigil.directory.Directory;
import dev.vigil.directory.DirectoryConfig;
import dev.vigil.directory.LinkSources;
import dev.vigil.directory.registration.RegistrationLimits;
import dev.vigil.gateway.store.sqlite.SqliteStore;
import dev.vigil.store.Store;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;

/**
 * A durable directory with the argument {@code FOLDER}. It prints its port, and ends with its
 * standard input.
 */
public final class DirectoryServer {
  private DirectoryServer() {}

  static void main(String[] arguments) throws Exception {
    Clock clock = Clock.systemUTC();
    Topics topics = new Topics();
    // All registrations come from one address.
    DirectoryConfig config =
        DirectoryConfig.standard(MirrorServer.PUBLISHED)
            .with(
                RegistrationLimits.standard()
                    .withOctets(Long.MAX_VALUE / 2)
                    .withRate(1_000_000, 10));
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    CoapSettings settings =
        new CoapSettings(
            List.of(address), InetAddress::isLoopbackAddress, CoapSettings.Limits.standard());
    try (Store store = SqliteStore.open(Path.of(arguments[0]), System::nanoTime);
        Directory directory =
            new Directory(
                store,
                topics,
                (caller, action, domain) -> new Access.Allowed(),
                config,
                clock,
                LinkSources.NONE);
        CoapServer front =
            CoapServer.open(
                new RequestDispatcher(directory.routes()),
                topics,
                settings,
                List.of(),
                new Clocks(clock, System::nanoTime),
                new SecureRandom())) {
      System.out.println(front.sockets().getFirst().getPort());
      while (System.in.read() >= 0) {
        // Serves until its input ends.
      }
    }
  }
}

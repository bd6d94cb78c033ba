package dev.vigil.gateway.bench;

import dev.vigil.directory.Directory;
import dev.vigil.directory.DirectoryConfig;
import dev.vigil.directory.coap.CoapFront;
import dev.vigil.directory.coap.CoapSettings;
import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Site;
import dev.vigil.directory.exchange.Topics;
import dev.vigil.directory.state.Store;
import dev.vigil.gateway.store.SqliteStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * A durable directory to be measured by {@code RegistrationLoad} of the directory's own tests:
 * {@code FOLDER PORT}. Ends with its standard input.
 */
final class DirectoryServer {
  private DirectoryServer() {}

  static void main(String[] arguments) throws Exception {
    Clock clock = Clock.systemUTC();
    Topics topics = new Topics();
    DirectoryConfig usual = DirectoryConfig.standard();
    // All registrations come from one address.
    DirectoryConfig config =
        new DirectoryConfig(
            "",
            usual.grace(),
            usual.maxRegistrations(),
            usual.links(),
            usual.maxResults(),
            1_000_000,
            usual.burstSeconds());
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[1]));
    CoapSettings settings =
        new CoapSettings(
            List.of(address), InetAddress::isLoopbackAddress, CoapSettings.Limits.standard());
    try (Store store = SqliteStore.open(Path.of(arguments[0]));
        Directory directory =
            new Directory(
                store,
                topics,
                (caller, action, domain) -> new Access.Allowed(),
                config,
                clock,
                List.of(),
                Optional.empty());
        CoapFront front =
            CoapFront.open(
                new Site(directory.resources()),
                topics,
                settings,
                List.of(),
                clock,
                new SecureRandom())) {
      System.out.println("ready pid " + ProcessHandle.current().pid() + " " + front.addresses());
      while (System.in.read() >= 0) {
        // Serves until its input ends.
      }
    }
  }
}

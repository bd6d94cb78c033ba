package dev.vigil.border.ipv6;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.Tshark;
import dev.vigil.border.Vectors;
import dev.vigil.border.Vectors.RecordedRoute;
import dev.vigil.border.capture.Captures;
import dev.vigil.border.capture.Direction;
import dev.vigil.border.capture.LinkType;
import dev.vigil.border.wire.WireException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SourceRouteTest {
  @TempDir Path folder;

  static List<RecordedRoute> routes() {
    return Vectors.sourceRoutes();
  }

  private static List<Ipv6Address> path(RecordedRoute route) throws WireException {
    List<Ipv6Address> path = new ArrayList<>();
    for (byte[] address : route.path()) {
      path.add(Ipv6Address.of(address));
    }
    return path;
  }

  @ParameterizedTest
  @MethodSource("routes")
  void elidesAllOctetsThatTheAddressesShare(RecordedRoute route) throws WireException {
    List<Ipv6Address> path = path(route);
    SourceRoute made = SourceRoute.through(path.getFirst(), path.subList(1, path.size()));
    Ipv6Packet first = Ipv6Packet.parse(route.packets().getFirst());
    assertThat(first.destination()).isEqualTo(path.getFirst());
    assertThat(first.withExtensions(List.of(made.header())).encode())
        .isEqualTo(route.packets().getFirst());
  }

  @ParameterizedTest
  @MethodSource("routes")
  void everyRouterReadsAllAddressesFromItsOwnDestination(RecordedRoute route) throws WireException {
    List<Ipv6Address> path = path(route);
    assertThat(route.packets()).hasSameSizeAs(path);
    for (int hop = 0; hop < path.size(); hop++) {
      Ipv6Packet packet = Ipv6Packet.parse(route.packets().get(hop));
      ExtensionHeader.Routing header = (ExtensionHeader.Routing) packet.extensions().getFirst();
      SourceRoute read = SourceRoute.parse(header, packet.destination());
      assertThat(read.segmentsLeft()).isEqualTo(path.size() - 1 - hop);
      assertThat(packet.destination()).isEqualTo(path.get(hop));
      assertThat(packet.finalDestination()).isEqualTo(path.getLast());
      List<Ipv6Address> visited = new ArrayList<>(path.subList(0, hop));
      visited.addAll(path.subList(hop + 1, path.size()));
      assertThat(read.addresses()).isEqualTo(visited);
    }
  }

  @Test
  void tsharkReadsTheAddressesOfEveryRoute() throws Exception {
    Path file = folder.resolve("routes.pcapng");
    List<String> expected = new ArrayList<>();
    try (Captures captures = new Captures(file, Clock.systemUTC(), System::nanoTime)) {
      for (RecordedRoute route : routes()) {
        captures.packet(LinkType.IPV6, Direction.OUT, route.packets().getFirst());
        List<String> addresses = path(route).stream().map(Ipv6Address::toString).toList();
        expected.add(
            String.join(",", addresses.subList(1, addresses.size()))
                + "\t"
                + (addresses.size() - 1)
                + "\t");
      }
    }
    assertThat(
            Tshark.fields(
                file, "ipv6.routing.rpl.full_address", "ipv6.routing.segleft", "_ws.malformed"))
        .isEqualTo(expected);
  }
}

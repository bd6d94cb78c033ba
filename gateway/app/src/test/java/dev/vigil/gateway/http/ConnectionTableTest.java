package dev.vigil.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Places, the reserve and deadlines, with real sockets and a settable time. */
class ConnectionTableTest {
  private static final int SECOND = 1_000_000_000;

  private long now;
  private static final int PLACES = 512;

  private final ConnectionTable table = new ConnectionTable(() -> now, PLACES);
  private final List<SocketChannel> opened = new ArrayList<>();
  private ServerSocketChannel server;
  private int ports;

  @BeforeEach
  void listen() throws IOException {
    server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0), 2000);
  }

  @AfterEach
  void close() throws IOException {
    for (SocketChannel each : opened) {
      each.close();
    }
    server.close();
  }

  /** A connection of a client with any address, even one that the machine does not have. */
  private ClientConnection connect(String from) throws IOException {
    return connect(new InetSocketAddress(InetAddress.ofLiteral(from), 1 + ports++));
  }

  private ClientConnection connect(InetSocketAddress address) throws IOException {
    SocketChannel client = SocketChannel.open(server.getLocalAddress());
    SocketChannel accepted = server.accept();
    opened.add(client);
    opened.add(accepted);
    boolean admitted = table.admit(accepted, address);
    ClientConnection connection = table.of(accepted.socket().getLocalAddress(), address);
    assertThat(connection != null).isEqualTo(admitted);
    return connection == null ? new ClientConnection(accepted, 0) : connection;
  }

  private List<ClientConnection> connect(String from, int times) throws IOException {
    List<ClientConnection> all = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      all.add(connect(from));
    }
    return all;
  }

  @Test
  void oneAddressTakesNoPlaceOfOthers() throws IOException {
    List<ClientConnection> honest = connect("192.0.2.1", 10);
    List<ClientConnection> greedy = connect("192.0.2.66", PLACES + 100);
    assertThat(honest).noneMatch(ClientConnection::isShut);
    assertThat(greedy).filteredOn(ClientConnection::isShut).hasSize(110);
    assertThat(greedy.subList(0, 110)).allMatch(ClientConnection::isShut);
    assertThat(connect("192.0.2.2").hasPlace()).isTrue();
  }

  @Test
  void oneNetworkTakesNoPlaceOfOthers() throws IOException {
    for (int i = 0; i < PLACES; i++) {
      connect("2001:db8:0:%x::%x".formatted(i % 16, 1 + i));
    }
    List<ClientConnection> honest = connect("2001:db8:1::1", 20);
    assertThat(honest).allMatch(ClientConnection::hasPlace);
    for (int i = 0; i < 100; i++) {
      connect("2001:db8:0:%x::%x".formatted(i % 16, 9000 + i));
    }
    assertThat(honest).noneMatch(ClientConnection::isShut);
  }

  @Test
  void requestsInProgressContinueWhileIdleConnectionsMakeRoom() throws IOException {
    ClientConnection stream = connect("192.0.2.66");
    table.serve(stream, 0, () -> false);
    connect("192.0.2.66", PLACES + 50);
    assertThat(stream.isShut()).isFalse();
  }

  @Test
  void theReserveServesOnlyHealthAndOperators() throws IOException {
    for (int i = 0; i < PLACES; i++) {
      connect("198.51.%d.%d".formatted(i / 200, 1 + i % 200));
    }
    ClientConnection operator = connect("192.0.2.1");
    assertThat(operator.hasPlace()).isFalse();
    assertThat(table.serve(operator, 0, () -> true)).isTrue();
    ClientConnection stranger = connect("192.0.2.2");
    assertThat(table.serve(stranger, 0, () -> false)).isFalse();
    for (int i = 0; i < 3 * ConnectionTable.RESERVE; i++) {
      connect("203.0.113.%d".formatted(1 + i));
    }
    assertThat(operator.isShut()).isFalse();
    assertThat(stranger.isShut()).isTrue();
    assertThat(table.serve(connect("192.0.2.3"), 0, () -> true)).isTrue();
  }

  @Test
  void aTrickledHeadAndBodyEndTheConnection() throws IOException {
    ClientConnection head = connect("192.0.2.1");
    ClientConnection body = connect("192.0.2.1");
    ClientConnection stream = connect("192.0.2.1");
    ClientConnection idle = connect("192.0.2.1");
    table.serve(body, 40_960, () -> false);
    table.serve(stream, 0, () -> false);
    table.serve(idle, 0, () -> false);
    table.served(idle);
    now += 9L * SECOND;
    table.expire();
    assertThat(List.of(head, body, stream, idle)).noneMatch(ClientConnection::isShut);
    now += 2L * SECOND;
    table.expire();
    assertThat(head.isShut()).isTrue();
    assertThat(body.isShut()).isFalse();
    now += 10L * SECOND;
    table.expire();
    assertThat(body.isShut()).isTrue();
    assertThat(idle.isShut()).isFalse();
    now += 10L * SECOND;
    table.expire();
    assertThat(idle.isShut()).isTrue();
    now += 3600L * SECOND;
    table.expire();
    assertThat(stream.isShut()).isFalse();
  }

  @Test
  void closedConnectionsGiveTheirPlacesBack() throws IOException {
    for (int i = 0; i < PLACES; i++) {
      connect("198.51.%d.%d".formatted(i / 200, 1 + i % 200));
    }
    close();
    listen();
    assertThat(connect("192.0.2.1", 100)).allMatch(ClientConnection::hasPlace);
  }

  @Test
  void aPortThatIsUsedAgainLeavesNothingBehind() throws IOException {
    List<InetSocketAddress> clients = new ArrayList<>();
    for (int i = 0; i < PLACES / 2; i++) {
      clients.add(new InetSocketAddress("198.51.%d.%d".formatted(i / 200, 1 + i % 200), 50_000));
    }
    for (InetSocketAddress client : clients) {
      ClientConnection former = connect(client);
      assertThat(connect(client).hasPlace()).isTrue();
      assertThat(former.isShut()).isTrue();
    }
    close();
    listen();
    table.expire();
    for (int i = 0; i < PLACES; i++) {
      assertThat(connect("203.0.%d.%d".formatted(i / 200, 1 + i % 200)).hasPlace()).isTrue();
    }
    InetSocketAddress operator = new InetSocketAddress("192.0.2.1", 50_000);
    for (int i = 0; i < 2 * ConnectionTable.RESERVE; i++) {
      assertThat(table.serve(connect(operator), 0, () -> true)).isTrue();
    }
  }

  @Test
  void onePortMayReachTwoLocalAddresses() throws IOException {
    InetSocketAddress client = new InetSocketAddress("192.0.2.1", 50_000);
    ClientConnection former = connect(client);
    server.close();
    server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.2", 0));
    connect(client);
    assertThat(former.isShut()).isFalse();
    now += 11L * SECOND;
    table.expire();
    assertThat(former.isShut()).isTrue();
  }

  @Test
  void aSmallHeapHasFewerPlaces() {
    assertThat(ConnectionTable.maxPlaces(256 << 20)).isEqualTo(167);
    assertThat(ConnectionTable.maxPlaces(1L << 30)).isEqualTo(512);
    assertThat(ConnectionTable.maxPlaces(64 << 20)).isEqualTo(64);
  }
}

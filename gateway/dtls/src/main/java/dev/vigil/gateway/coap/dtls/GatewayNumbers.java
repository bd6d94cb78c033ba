package dev.vigil.gateway.coap.dtls;

import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordChange;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.store.StoreException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.eclipse.californium.scandium.DtlsClusterConnector.ClusterNodesProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The numbers by which connection IDs name the gateways of a cluster, and the private sockets of
 * these gateways. A gateway takes the lowest free number once and keeps it, because its saved
 * sessions contain the number. When no number is free, it takes the number of a gateway that is
 * gone.
 *
 * <p>The thread {@code main} takes a number; the store's feed thread learns the addresses of
 * others; any thread may ask for them.
 */
final class GatewayNumbers {
  private static final Logger log = LoggerFactory.getLogger(GatewayNumbers.class);

  /** The number is one octet of a connection ID. */
  static final int MAX = 256;

  private static final int TRIES = 16;
  private static final Duration WRITING = Duration.ofSeconds(10);

  private final RecordSet<Numbered> records;
  private final String own;
  private final Supplier<Set<String>> present;
  private final Map<Integer, List<InetSocketAddress>> sockets = new ConcurrentHashMap<>();
  private volatile Set<InetSocketAddress> all = Set.of();

  /** A gateway; the id of the record is its number. */
  record Numbered(String gateway, List<Socket> sockets) {}

  /**
   * @param host a literal
   */
  record Socket(String host, int port) {
    static Socket of(InetSocketAddress address) {
      return new Socket(address.getAddress().getHostAddress(), address.getPort());
    }

    InetSocketAddress address() {
      return new InetSocketAddress(InetAddress.ofLiteral(host), port);
    }
  }

  /**
   * @param own the name of this gateway
   * @param present the names of the gateways that have been heard recently
   */
  GatewayNumbers(Records records, String own, Supplier<Set<String>> present) {
    this.records = records.of("cluster-number", Numbered.class, MAX);
    this.own = own;
    this.present = present;
    this.records.onChange(this::learn);
  }

  private void learn(RecordChange<Numbered> change) {
    int number = Integer.parseInt(change.id());
    Versioned<Numbered> after = change.after();
    if (after == null || after.value().gateway().equals(own)) {
      sockets.remove(number);
    } else {
      sockets.put(number, after.value().sockets().stream().map(Socket::address).toList());
    }
    all = sockets.values().stream().flatMap(Collection::stream).collect(Collectors.toSet());
  }

  /**
   * The number of this gateway, which no other present gateway has.
   *
   * @throws StoreException when the cluster does not store anything, or has no number left
   */
  int take() {
    for (int i = 0; i < TRIES; i++) {
      Optional<Versioned<Numbered>> mine = mine();
      if (mine.isPresent()) {
        return Integer.parseInt(mine.get().id());
      }
      if (claim() instanceof Outcome.NotStored) {
        break;
      }
      // Another gateway may have taken it in the meantime: then the next one is tried.
    }
    throw new StoreException(
        "this gateway got no number in the cluster, which its CoAPS connection IDs need: start a majority of the NATS servers");
  }

  private Optional<Versioned<Numbered>> mine() {
    return records.all().stream().filter(one -> one.value().gateway().equals(own)).findFirst();
  }

  private Outcome claim() {
    Numbered claimed = new Numbered(own, List.of());
    for (int number = 0; number < MAX; number++) {
      String id = Integer.toString(number);
      if (records.get(id).isEmpty()) {
        return Outcome.await(
            records.put(id, claimed, OptionalLong.of(0), Audit.UNRECORDED), WRITING);
      }
    }
    Set<String> heard = present.get();
    Versioned<Numbered> gone =
        records.all().stream()
            .filter(one -> !heard.contains(one.value().gateway()))
            .min(Comparator.comparing(Versioned::at))
            .orElseThrow(
                () -> new StoreException("a cluster has at most %d gateways".formatted(MAX)));
    return Outcome.await(
        records.put(gone.id(), claimed, OptionalLong.of(gone.version()), Audit.UNRECORDED),
        WRITING);
  }

  /** Stores the addresses at which this gateway receives records from the others. */
  void publish(List<InetSocketAddress> addresses) {
    List<Socket> named = addresses.stream().map(Socket::of).toList();
    mine()
        .filter(record -> !record.value().sockets().equals(named))
        .ifPresent(record -> publish(record, named));
  }

  private void publish(Versioned<Numbered> record, List<Socket> named) {
    Outcome outcome =
        Outcome.await(
            records.put(
                record.id(),
                new Numbered(own, named),
                OptionalLong.of(record.version()),
                Audit.UNRECORDED),
            WRITING);
    if (!(outcome instanceof Outcome.Done)) {
      log.warn(
          "CoAPS: the address for other gateways is not stored; they cannot forward records to this one until its next start");
    }
  }

  /**
   * The other gateways as a socket of this one sees them. All gateways serve CoAPS at the same
   * kinds of addresses in the same order.
   *
   * @param index of the socket
   */
  ClusterNodesProvider others(int index) {
    return new ClusterNodesProvider() {
      @Override
      public @Nullable InetSocketAddress getClusterNode(int number) {
        List<InetSocketAddress> known = sockets.getOrDefault(number, List.of());
        return index < known.size() ? known.get(index) : null;
      }

      @Override
      public boolean available(InetSocketAddress socket) {
        return all.contains(socket);
      }
    };
  }
}

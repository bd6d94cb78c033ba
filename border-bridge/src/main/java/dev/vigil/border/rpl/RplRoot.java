package dev.vigil.border.rpl;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.RplOption;
import dev.vigil.border.wire.WireWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The root of a non-storing DODAG for RPL-lite nodes (RFC 6550; MRHOF, RFC 6719).
 *
 * <p>States of a node at the root: unknown; heard (its DIO gave its rank); routed (its DAO gave its
 * parent; RFC 6550, section 9.7). A DAO with a lifetime leads to routed; a No-Path DAO, a poisoning
 * DIO (multicast, rank 65535; RFC 6550, section 8.2.2.5) or the end of the lifetime lead back to
 * heard. A new DODAG version empties the table.
 *
 * <p>Pure: messages and the time go in, messages to send come out. One thread.
 */
public final class RplRoot {
  /** The rank of a root: MinHopRankIncrease. */
  public static final int ROOT_RANK = 128;

  /** Contiki-NG's default: 4.096 s between the first DIOs. */
  public static final int DEFAULT_DIO_INTERVAL_MIN = 12;

  /** INFINITE_RANK (RFC 6550, section 17). */
  public static final int INFINITE_RANK = 0xffff;

  private static final int INSTANCE = 0;
  private static final int NON_STORING = 1 << 3;
  private static final int MODE_MASK = 7 << 3;
  private static final int MAX_NODES = 1_024;
  private static final int DOUBLINGS = 8;
  private static final int REDUNDANCY = 0;
  private static final int MAX_RANK_INCREASE = 1024;
  private static final int MRHOF = 1;
  private static final int DEFAULT_LIFETIME = 30;
  private static final int LIFETIME_UNIT_SECONDS = 60;
  private static final int INFINITE_LIFETIME = 255;
  private static final int ACCEPTED = 0;
  private static final int REFUSED = 130;
  private static final int FLAG_RANK_ERROR = 0x40;

  /**
   * The shortest time between two versions adopted from received DIOs: each adoption is a durable
   * write and ends all routes, and any node can send such a DIO.
   */
  private static final long MIN_ADOPTION_MILLIS = 4_096;

  /**
   * A message to send.
   *
   * @param destination ff02::1a from each radio, a neighbour's link-local address, or a node's mesh
   *     address, which needs a source route
   */
  public record Outgoing(Ipv6Address destination, RplMessage message) {}

  private final Ipv6Address dodagId;
  private final Ipv6Address prefix;
  private final int dioIntervalMin;
  private final VersionStore store;
  private final Trickle trickle;
  private final Routes routes;
  private final Consumer<RplDrop> drops;
  private long adoptedAt;

  /** Whether a node has announced a version of this root since it started. */
  private boolean followed;

  private int version;
  private int dtsn = LollipopCounter.START;

  /**
   * Starts a DODAG, one version above the stored one.
   *
   * @param dodagId the root's mesh address
   * @param prefix 64 bits; nodes form their addresses in it
   * @param dioIntervalMin Trickle's Imin is 2^this milliseconds, here and at the nodes
   * @param drops counts ignored messages
   */
  public RplRoot(
      Ipv6Address dodagId,
      Ipv6Address prefix,
      int dioIntervalMin,
      VersionStore store,
      RandomGenerator random,
      Consumer<RplDrop> drops,
      long nowMillis) {
    this.dodagId = dodagId;
    this.prefix = prefix;
    this.dioIntervalMin = dioIntervalMin;
    this.store = store;
    this.drops = drops;
    this.adoptedAt = nowMillis - MIN_ADOPTION_MILLIS;
    this.routes = new Routes(dodagId, MAX_NODES);
    OptionalInt stored = store.load();
    this.version =
        stored.isPresent() ? LollipopCounter.next(stored.getAsInt()) : LollipopCounter.START;
    store.save(version);
    this.trickle = new Trickle(1L << dioIntervalMin, DOUBLINGS, REDUNDANCY, random, nowMillis);
  }

  /** Adds an address of the root, because nodes name as their parent the radio that they hear. */
  public void addRootAddress(Ipv6Address address) {
    routes.addRoot(address);
  }

  /** The current DODAG version. */
  public int version() {
    return version;
  }

  /** Runs the timers: expires routes, returns a DIO if the Trickle timer demands one. */
  public List<Outgoing> tick(long nowMillis) {
    routes.expire(nowMillis);
    return trickle.tick(nowMillis) ? List.of(multicastDio()) : List.of();
  }

  /** The time at which {@link #tick} is due, in milliseconds. */
  public long deadline() {
    return Math.min(trickle.deadline(), routes.nextExpiry());
  }

  /**
   * Takes a message of a node.
   *
   * @param source of the packet
   * @param destination of the packet: all RPL nodes, or an address of the root
   * @return the answers
   */
  public List<Outgoing> receive(
      RplMessage message, Ipv6Address source, Ipv6Address destination, long nowMillis) {
    boolean multicast = destination.isMulticast();
    return switch (message) {
      case RplMessage.Dis dis -> dis(source, multicast, nowMillis);
      case RplMessage.Dio dio -> {
        dio(dio, source, multicast, nowMillis);
        yield List.of();
      }
      case RplMessage.Dao dao -> dao(dao, source, destination, nowMillis);
      case RplMessage.DaoAck ack -> List.of();
    };
  }

  /** Records that a packet of any kind came from a node. */
  public void heard(Ipv6Address node, long nowMillis) {
    routes.heard(node, nowMillis);
  }

  /**
   * Takes the RPL option of a packet that arrived on its upward path. A rank error on this path is
   * an inconsistency (RFC 6550, section 11.2.2.2).
   */
  public void received(RplOption option, long nowMillis) {
    if ((option.flags() & FLAG_RANK_ERROR) != 0) {
      trickle.inconsistent(nowMillis);
    }
  }

  /** The path to a node: the first hop first, the node last. */
  public Optional<List<Ipv6Address>> route(Ipv6Address node) {
    return routes.path(node);
  }

  /** Global repair: all nodes join a new DODAG version (RFC 6550, section 3.2.2). */
  public List<Outgoing> globalRepair(long nowMillis) {
    newVersion(LollipopCounter.next(version), nowMillis);
    return List.of(multicastDio());
  }

  /** Asks all nodes for their DAOs without a new version (RFC 6550, section 9.6). */
  public List<Outgoing> refreshRoutes(long nowMillis) {
    dtsn = LollipopCounter.next(dtsn);
    trickle.inconsistent(nowMillis);
    return List.of(multicastDio());
  }

  /** A snapshot of the nodes. */
  public List<RplNode> nodes(long nowMillis) {
    return routes.snapshot(nowMillis);
  }

  private List<Outgoing> dis(Ipv6Address source, boolean multicast, long nowMillis) {
    if (multicast) {
      trickle.inconsistent(nowMillis);
      return List.of();
    }
    return source.isLinkLocal() ? List.of(new Outgoing(source, dio())) : List.of();
  }

  private void dio(RplMessage.Dio dio, Ipv6Address source, boolean multicast, long nowMillis) {
    boolean ours =
        dio.instance() == INSTANCE
            && dio.dodagId().equals(dodagId)
            && (dio.modeAndPreference() & MODE_MASK) == NON_STORING;
    if (!ours || !source.isLinkLocal()) {
      drops.accept(RplDrop.DIO_NOT_OURS);
      return;
    }
    if (mustExceed(dio.version())) {
      adoptNewer(dio.version(), nowMillis);
      return;
    }
    followed |= dio.version() == version;
    Ipv6Address node = new Ipv6Address(prefix.high(), source.low());
    routes.rank(node, dio.rank() == INFINITE_RANK ? RplNode.UNKNOWN : dio.rank());
    routes.heard(node, nowMillis);
    if (multicast && dio.rank() == INFINITE_RANK) {
      routes.withdraw(node);
    }
    if (dio.version() == version) {
      trickle.consistent();
    } else if (multicast) {
      trickle.inconsistent(nowMillis);
    }
  }

  /**
   * Whether nodes may not follow the root because of a version that they know. If the root's store
   * was lost or restored, the version of the network may be neither newer nor older than the root's
   * (RFC 6550, section 7.2); or the root's counter was restarted, which Contiki-NG and RIOT do not
   * treat as newer. Once nodes follow the root, only a newer version counts, so that a node with an
   * old version cannot move them.
   */
  private boolean mustExceed(int heard) {
    return followed
        ? LollipopCounter.isNewer(heard, version)
        : heard != version && !LollipopCounter.follows(version, heard);
  }

  /** Exceeds a version in the network. */
  private void adoptNewer(int newer, long nowMillis) {
    if (nowMillis - adoptedAt < MIN_ADOPTION_MILLIS) {
      drops.accept(RplDrop.DIO_VERSION_TOO_SOON);
      return;
    }
    adoptedAt = nowMillis;
    newVersion(LollipopCounter.next(newer), nowMillis);
  }

  /**
   * A DAO with a link-local address was not forwarded: its sender is a neighbour. RIOT sends such
   * DAOs to its parent, and names no parent in them.
   */
  private List<Outgoing> dao(
      RplMessage.Dao dao, Ipv6Address source, Ipv6Address destination, long nowMillis) {
    Ipv6Address named = dao.dodagId();
    if (dao.instance() != INSTANCE || (named != null && !named.equals(dodagId))) {
      drops.accept(RplDrop.DAO_NOT_OURS);
      return List.of();
    }
    boolean neighbour = source.isLinkLocal() || destination.isLinkLocal();
    Ipv6Address node = source.isLinkLocal() ? new Ipv6Address(prefix.high(), source.low()) : source;
    int status = ACCEPTED;
    for (RplMessage.Transit transit : dao.transits()) {
      if (!updateRoute(transit, node, neighbour, nowMillis)) {
        status = REFUSED;
        drops.accept(RplDrop.DAO_REFUSED);
      }
    }
    return dao.ackRequested()
        ? List.of(new Outgoing(source, new RplMessage.DaoAck(INSTANCE, dao.sequence(), status)))
        : List.of();
  }

  /** A node may announce only itself, so that it cannot change another node's route. */
  private boolean updateRoute(
      RplMessage.Transit transit, Ipv6Address node, boolean neighbour, long nowMillis) {
    Ipv6Address parent = transit.parent() == null && neighbour ? dodagId : transit.parent();
    if (!transit.target().equals(node)
        || transit.targetLength() != 128
        || node.high() != prefix.high()) {
      return false;
    }
    if (transit.lifetime() == 0) {
      routes.withdraw(node);
      return true;
    }
    if (parent == null || parent.high() != prefix.high() || parent.equals(node)) {
      return false;
    }
    long expires =
        transit.lifetime() == INFINITE_LIFETIME
            ? Long.MAX_VALUE
            : nowMillis + transit.lifetime() * LIFETIME_UNIT_SECONDS * 1000L;
    boolean taken = routes.put(node, parent, expires);
    routes.heard(node, nowMillis);
    return taken;
  }

  private void newVersion(int next, long nowMillis) {
    store.save(next);
    version = next;
    routes.clear();
    trickle.inconsistent(nowMillis);
  }

  private Outgoing multicastDio() {
    return new Outgoing(Ipv6Address.ALL_RPL_NODES, dio());
  }

  private RplMessage.Dio dio() {
    WireWriter options = new WireWriter();
    options.u8(RplMessage.OPTION_CONFIGURATION).u8(14).u8(0).u8(DOUBLINGS).u8(dioIntervalMin);
    options.u8(REDUNDANCY).u16(MAX_RANK_INCREASE).u16(ROOT_RANK).u16(MRHOF).u8(0);
    options.u8(DEFAULT_LIFETIME).u16(LIFETIME_UNIT_SECONDS);
    // Flag A (autonomous address configuration), infinite lifetimes (RFC 4861, section 4.6.2).
    options.u8(RplMessage.OPTION_PREFIX).u8(30).u8(64).u8(0x40);
    options.u32(0xffffffffL).u32(0xffffffffL).u32(0);
    prefix.write(options);
    return new RplMessage.Dio(
        INSTANCE, version, ROOT_RANK, NON_STORING, dtsn, dodagId, options.toBytes());
  }
}

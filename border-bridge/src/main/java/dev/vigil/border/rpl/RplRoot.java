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
 * The root of a non-storing DODAG as RPL-lite nodes expect it (RFC 6550; MRHOF, RFC 6719).
 *
 * <p>States of a node as the root sees it: unknown; heard (a DIO told its rank); routed (a DAO told
 * its parent: 9.7). DAO with a lifetime leads to routed; a No-Path DAO, a poisoning DIO (8.2.2.5,
 * rank 65535 to all) or the end of the lifetime lead back to heard; a new version empties the
 * table.
 *
 * <p>Pure: messages and the time go in, messages to send come out. One thread.
 */
public final class RplRoot {
  /** The rank of a root: MinHopRankIncrease. */
  public static final int ROOT_RANK = 128;

  /** INFINITE_RANK (section 17). */
  public static final int INFINITE_RANK = 0xffff;

  private static final int INSTANCE = 0;
  private static final int NON_STORING = 1 << 3;
  private static final int MODE_MASK = 7 << 3;
  private static final int MAX_NODES = 1_024;
  private static final int IMIN_EXPONENT = 12;
  private static final int DOUBLINGS = 8;
  private static final int REDUNDANCY = 0;
  private static final int MAX_RANK_INCREASE = 1024;
  private static final int MRHOF = 1;
  private static final int DEFAULT_LIFETIME = 30;
  private static final int LIFETIME_UNIT_SECONDS = 60;
  private static final int LIFETIME_FOR_EVER = 255;
  private static final int ACCEPTED = 0;
  private static final int REFUSED = 130;
  private static final int FLAG_RANK_ERROR = 0x40;

  /**
   * The shortest time from one version taken from others to the next: each is written durably and
   * ends all routes, and anybody may tell one.
   */
  private static final long OVERTAKES_EVERY_MILLIS = 1L << IMIN_EXPONENT;

  /**
   * A message to send.
   *
   * @param destination ff02::1a from each radio, a neighbour's link-local address, or a node's mesh
   *     address, which needs a source route
   */
  public record Send(Ipv6Address destination, RplMessage message) {}

  private final Ipv6Address dodagId;
  private final Ipv6Address prefix;
  private final VersionStore store;
  private final Trickle trickle;
  private final Routes routes;
  private final Consumer<RplDrop> drops;
  private long overtookAt;
  private int version;
  private int dtsn = Lollipop.START;

  /**
   * Starts a DODAG, one version above the stored one.
   *
   * @param dodagId the root's mesh address
   * @param prefix 64 bits, which the nodes form their addresses in
   * @param drops hears of messages that are not acted on
   */
  public RplRoot(
      Ipv6Address dodagId,
      Ipv6Address prefix,
      VersionStore store,
      RandomGenerator random,
      Consumer<RplDrop> drops,
      long nowMillis) {
    this.dodagId = dodagId;
    this.prefix = prefix;
    this.store = store;
    this.drops = drops;
    this.overtookAt = nowMillis - OVERTAKES_EVERY_MILLIS;
    this.routes = new Routes(dodagId, MAX_NODES);
    OptionalInt stored = store.load();
    this.version = stored.isPresent() ? Lollipop.next(stored.getAsInt()) : Lollipop.START;
    store.save(version);
    this.trickle = new Trickle(1L << IMIN_EXPONENT, DOUBLINGS, REDUNDANCY, random, nowMillis);
  }

  /** The root has this address too: nodes name their parent by the radio they hear. */
  public void alsoRoot(Ipv6Address address) {
    routes.addRoot(address);
  }

  /** The current DODAG version. */
  public int version() {
    return version;
  }

  /** Time has passed: routes expire, the Trickle timer may want a DIO sent. */
  public List<Send> tick(long nowMillis) {
    routes.expire(nowMillis);
    return trickle.tick(nowMillis) ? List.of(multicastDio()) : List.of();
  }

  /** When {@link #tick} is due, milliseconds. */
  public long deadline() {
    return Math.min(trickle.deadline(), routes.nextExpiry());
  }

  /**
   * A node sent a message.
   *
   * @param source of the packet
   * @param multicast whether it went to all RPL nodes
   * @return what to answer
   */
  public List<Send> receive(
      RplMessage message, Ipv6Address source, boolean multicast, long nowMillis) {
    return switch (message) {
      case RplMessage.Dis dis -> dis(source, multicast, nowMillis);
      case RplMessage.Dio dio -> {
        dio(dio, source, multicast, nowMillis);
        yield List.of();
      }
      case RplMessage.Dao dao -> dao(dao, source, nowMillis);
      case RplMessage.DaoAck ack -> List.of();
    };
  }

  /** A packet of a node came, whatever it was. */
  public void heard(Ipv6Address node, long nowMillis) {
    routes.heard(node, nowMillis);
  }

  /** A packet came up with this option; a rank error on its way is an inconsistency (11.2.2.2). */
  public void upward(RplOption option, long nowMillis) {
    if ((option.flags() & FLAG_RANK_ERROR) != 0) {
      trickle.inconsistent(nowMillis);
    }
  }

  /** The way to a node: the first hop first, the node last. */
  public Optional<List<Ipv6Address>> route(Ipv6Address node) {
    return routes.path(node);
  }

  /** Global repair (section 3.2.2): everybody joins a new version and announces its route again. */
  public List<Send> globalRepair(long nowMillis) {
    newVersion(Lollipop.next(version), nowMillis);
    return List.of(multicastDio());
  }

  /** Asks all nodes for their DAOs again, without a new version (section 9.6). */
  public List<Send> refreshRoutes(long nowMillis) {
    dtsn = Lollipop.next(dtsn);
    trickle.inconsistent(nowMillis);
    return List.of(multicastDio());
  }

  /** What the root knows of the nodes. */
  public List<RplNode> nodes(long nowMillis) {
    return routes.snapshot(nowMillis);
  }

  private List<Send> dis(Ipv6Address source, boolean multicast, long nowMillis) {
    if (multicast) {
      trickle.inconsistent(nowMillis);
      return List.of();
    }
    return source.isLinkLocal() ? List.of(new Send(source, dio())) : List.of();
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
    if (Lollipop.isNewer(dio.version(), version)) {
      overtake(dio.version(), nowMillis);
      return;
    }
    Ipv6Address node = new Ipv6Address(prefix.high(), source.low());
    routes.rank(node, dio.rank());
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

  /** The store was lost and the network remembers: goes above what it has. */
  private void overtake(int newer, long nowMillis) {
    if (nowMillis - overtookAt < OVERTAKES_EVERY_MILLIS) {
      drops.accept(RplDrop.DIO_VERSION_TOO_SOON);
      return;
    }
    overtookAt = nowMillis;
    newVersion(Lollipop.next(newer), nowMillis);
  }

  private List<Send> dao(RplMessage.Dao dao, Ipv6Address source, long nowMillis) {
    Ipv6Address named = dao.dodagId();
    if (dao.instance() != INSTANCE || (named != null && !named.equals(dodagId))) {
      drops.accept(RplDrop.DAO_NOT_OURS);
      return List.of();
    }
    int status = ACCEPTED;
    for (RplMessage.Transit transit : dao.transits()) {
      if (!learn(transit, source, nowMillis)) {
        status = REFUSED;
        drops.accept(RplDrop.DAO_REFUSED);
      }
    }
    return dao.ackRequested()
        ? List.of(new Send(source, new RplMessage.DaoAck(INSTANCE, dao.sequence(), status)))
        : List.of();
  }

  /** Nodes speak for themselves only: nobody takes another's route away. */
  private boolean learn(RplMessage.Transit transit, Ipv6Address source, long nowMillis) {
    Ipv6Address parent = transit.parent();
    if (!transit.target().equals(source)
        || transit.targetLength() != 128
        || source.high() != prefix.high()) {
      return false;
    }
    if (transit.lifetime() == 0) {
      routes.withdraw(source);
      return true;
    }
    if (parent == null || parent.high() != prefix.high() || parent.equals(source)) {
      return false;
    }
    long expires =
        transit.lifetime() == LIFETIME_FOR_EVER
            ? Long.MAX_VALUE
            : nowMillis + transit.lifetime() * LIFETIME_UNIT_SECONDS * 1000L;
    boolean taken = routes.put(source, parent, expires);
    routes.heard(source, nowMillis);
    return taken;
  }

  private void newVersion(int next, long nowMillis) {
    store.save(next);
    version = next;
    routes.clear();
    trickle.inconsistent(nowMillis);
  }

  private Send multicastDio() {
    return new Send(Ipv6Address.ALL_RPL_NODES, dio());
  }

  private RplMessage.Dio dio() {
    WireWriter options = new WireWriter();
    options.u8(RplMessage.OPTION_CONFIGURATION).u8(14).u8(0).u8(DOUBLINGS).u8(IMIN_EXPONENT);
    options.u8(REDUNDANCY).u16(MAX_RANK_INCREASE).u16(ROOT_RANK).u16(MRHOF).u8(0);
    options.u8(DEFAULT_LIFETIME).u16(LIFETIME_UNIT_SECONDS);
    // A (autonomous address configuration), prefix valid for ever (RFC 4861, section 4.6.2).
    options.u8(RplMessage.OPTION_PREFIX).u8(30).u8(64).u8(0x40);
    options.u32(0xffffffffL).u32(0xffffffffL).u32(0);
    prefix.write(options);
    return new RplMessage.Dio(
        INSTANCE, version, ROOT_RANK, NON_STORING, dtsn, dodagId, options.toBytes());
  }
}

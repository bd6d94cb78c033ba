package dev.vigil.border.rpl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.ipv6.Ipv6Address;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A root whose stored version was lost, or is that of an old backup. */
class LostVersionTest {
  private static final Ipv6Address PREFIX = new Ipv6Address(0xfd00L << 48, 0);
  private static final Ipv6Address ROOT = new Ipv6Address(0xfd00L << 48, 1);
  private static final Ipv6Address NODE = Ipv6Address.linkLocal(2);

  /** A version store in memory. */
  private static final class Store implements VersionStore {
    private OptionalInt version;

    Store(OptionalInt version) {
      this.version = version;
    }

    @Override
    public OptionalInt load() {
      return version;
    }

    @Override
    public void save(int next) {
      version = OptionalInt.of(next);
    }
  }

  private final List<RplDrop> drops = new ArrayList<>();

  private RplRoot root(OptionalInt stored) {
    return new RplRoot(
        ROOT,
        PREFIX,
        RplRoot.DEFAULT_DIO_INTERVAL_MIN,
        new Store(stored),
        new Random(3),
        drops::add,
        0);
  }

  private static void announce(RplRoot root, int version, long nowMillis) {
    RplMessage.Dio dio = new RplMessage.Dio(0, version, 300, 8, 240, ROOT, new byte[0]);
    root.receive(dio, NODE, Ipv6Address.ALL_RPL_NODES, nowMillis);
  }

  /** The comparison of Contiki-NG, in which each of 240 and 5 is newer than the other. */
  private static boolean isNewerForContiki(int a, int b) {
    if (a > 127 && b <= 127) {
      return 256 + b - a > 16;
    }
    return (a > b && a - b < 16) || (a < b && b - a > 112);
  }

  /**
   * Contiki-NG does not follow a root that it also takes for older. It takes a version 16 above as
   * its own, because its window is one smaller.
   */
  private static boolean contikiFollows(int offered, int known) {
    boolean joinsAsEqual = known < 128 && (offered - known + 128) % 128 == 16;
    return !isNewerForContiki(known, offered)
        && (isNewerForContiki(offered, known) || joinsAsEqual);
  }

  @Test
  void aNodeFollowsARestoredRootFromAnyVersionThatItKnows() {
    int backup = LollipopCounter.START;
    for (int starts = 0; starts < 16 + 128; starts++) {
      int known = backup;
      for (int later = 0; later < 16 + 128; later++) {
        assertFollowedBy(root(OptionalInt.of(backup)), known);
        known = LollipopCounter.next(known);
      }
      backup = LollipopCounter.next(backup);
    }
  }

  @Test
  void aNodeFollowsARootWithoutAStoreFromAnyVersionThatItKnows() {
    for (int known = 0; known < 128; known++) {
      assertFollowedBy(root(OptionalInt.empty()), known);
    }
  }

  private static void assertFollowedBy(RplRoot root, int known) {
    if (known == root.version()) {
      return;
    }
    announce(root, known, 1_000);
    assertThat(LollipopCounter.isNewer(root.version(), known)).isTrue();
    assertThat(contikiFollows(root.version(), known)).as("%d %d", root.version(), known).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"20, 60", "60, 20", "240, 30"})
  void onceFollowedTheRootIsNotMovedByAnOldVersion(int backup, int old) {
    RplRoot root = root(OptionalInt.of(backup));
    int started = root.version();
    announce(root, started, 1_000);
    announce(root, old, 10_000);
    assertThat(root.version()).isEqualTo(started);
    announce(root, LollipopCounter.next(started), 20_000);
    assertThat(root.version()).isEqualTo(LollipopCounter.next(LollipopCounter.next(started)));
  }

  @Test
  void aNodeThatHasNotHeardTheNewVersionYetDoesNotMoveTheRoot() {
    RplRoot root = root(OptionalInt.of(250));
    announce(root, 250, 1_000);
    announce(root, 240, 2_000);
    assertThat(root.version()).isEqualTo(251);
    assertThat(drops).isEmpty();
  }
}

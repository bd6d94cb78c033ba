package dev.vigil.border;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.FrameCounter;
import dev.vigil.border.ieee802154.LinkKey;
import dev.vigil.border.ieee802154.LinkKeys;
import dev.vigil.border.ieee802154.LinkSecurity;
import dev.vigil.border.ieee802154.ReplayTable;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.Octets;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Link-layer security with its memory: ties the pure {@link LinkSecurity} to counters that survive
 * a restart. Their names hold a hash of the key, so that another key starts from zero.
 */
final class LinkGuard {
  private static final Logger LOG = LoggerFactory.getLogger(LinkGuard.class);
  private static final int MAX_SENDERS = 4_096;

  /** Sent counters are reserved in such steps: one durable write in so many frames. */
  private static final int STEP = 1_024;

  /** Below every counter. */
  private static final long NONE_HEARD = -1;

  private final BridgeMemory memory;
  private final @Nullable Secured secured;

  private record Secured(
      LinkProtection protection,
      LinkSecurity security,
      ReplayTable replay,
      FrameCounter counter,
      String name) {}

  LinkGuard(@Nullable LinkProtection protection, BridgeMemory memory) {
    this.memory = memory;
    this.secured = protection == null ? null : secured(protection);
  }

  private Secured secured(LinkProtection protection) {
    String name = "link/" + fingerprint(protection.key());
    ReplayTable replay = new ReplayTable(MAX_SENDERS);
    String heard = name + "/heard/";
    memory
        .loadAll(heard)
        .forEach(
            (key, highest) -> {
              Eui64 sender = new Eui64(Long.parseUnsignedLong(key.substring(heard.length()), 16));
              if (highest != NONE_HEARD) {
                ReplayTable.Entry entry = new ReplayTable.Entry(sender, protection.keyId());
                replay.restore(new ReplayTable.Counter(entry, highest));
              }
            });
    LinkSecurity security =
        new LinkSecurity(
            LinkKeys.network(protection.keyId(), new LinkKey(protection.key())),
            Set.of(protection.level()),
            replay,
            address -> null);
    String sent = name + "/sent";
    FrameCounter counter =
        new FrameCounter(memory.load(sent).orElse(0), STEP, upTo -> saveSent(sent, upTo));
    return new Secured(protection, security, replay, counter, name);
  }

  private void saveSent(String name, long upTo) {
    try {
      memory.save(Map.of(name, upTo));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String fingerprint(byte[] key) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(key);
      return Octets.hex(Arrays.copyOf(hash, 8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Octets that security adds to each frame. */
  int overhead() {
    Secured on = secured;
    return on == null
        ? 0
        : 5 + on.protection().keyId().length() + on.protection().level().micLength();
  }

  /** The payload in clear. */
  byte[] open(Frame frame) throws WireException {
    Secured on = secured;
    if (on != null) {
      return on.security().open(frame);
    }
    if (frame.security() != null) {
      throw new WireException(Drop.SECURITY_KEY_UNKNOWN);
    }
    return frame.payload();
  }

  /** The frame as it goes to the radio, under a counter of its own. */
  Frame seal(Frame frame, Eui64 self) throws WireException {
    Secured on = secured;
    if (on == null) {
      return frame;
    }
    LinkProtection protection = on.protection();
    return on.security()
        .seal(frame, protection.level(), protection.keyId(), self, on.counter().take());
  }

  /**
   * Takes the next counter of a neighbour, whatever it is: of one that restarted and lost its own.
   * Its recorded frames could be played again until then, so only a person may ask for it.
   *
   * @return false if no counter of it was known
   * @throws IOException if the memory failed; the counter is as it was then
   */
  boolean forgive(Eui64 sender) throws IOException {
    Secured on = secured;
    if (on == null || !on.replay().knows(sender)) {
      return false;
    }
    memory.save(Map.of(on.name() + "/heard/" + sender, NONE_HEARD));
    return on.replay().forget(sender);
  }

  /** Makes the counters heard durable; false if the content of their frames must be held back. */
  boolean persist() {
    Secured on = secured;
    if (on == null) {
      return true;
    }
    List<ReplayTable.Counter> changed = on.replay().takeChanged();
    if (changed.isEmpty()) {
      return true;
    }
    Map<String, Long> numbers = new HashMap<>();
    for (ReplayTable.Counter counter : changed) {
      numbers.put(on.name() + "/heard/" + counter.entry().sender(), counter.highest());
    }
    try {
      memory.save(numbers);
      return true;
    } catch (IOException e) {
      LOG.error("the memory of frame counters failed", e);
      return false;
    }
  }
}

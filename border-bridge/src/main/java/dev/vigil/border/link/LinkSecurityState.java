package dev.vigil.border.link;

import dev.vigil.border.config.LinkSecurityConfig;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.FrameCounter;
import dev.vigil.border.ieee802154.LinkKey;
import dev.vigil.border.ieee802154.LinkKeys;
import dev.vigil.border.ieee802154.LinkSecurity;
import dev.vigil.border.ieee802154.ReplayTable;
import dev.vigil.border.storage.DurableCounters;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.Hex;
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
 * Link-layer security with durable frame counters: ties the pure {@link LinkSecurity} to counters
 * that survive a restart. The counters' names contain a hash of the key, so that a new key starts
 * from zero. Belongs to the pipeline thread.
 */
public final class LinkSecurityState {
  private static final Logger LOG = LoggerFactory.getLogger(LinkSecurityState.class);
  private static final int MAX_SENDERS = 4_096;

  /** Sent counters are reserved in steps of this size: one durable write for so many frames. */
  private static final int STEP = 1_024;

  /** Stored for a forgiven neighbour: below every frame counter. */
  private static final long NONE_HEARD = -1;

  private final DurableCounters counters;
  private final @Nullable Secured secured;

  private record Secured(
      LinkSecurityConfig config,
      LinkSecurity security,
      ReplayTable replay,
      FrameCounter sent,
      String name) {}

  public LinkSecurityState(@Nullable LinkSecurityConfig config, DurableCounters counters) {
    this.counters = counters;
    this.secured = config == null ? null : secured(config);
  }

  private Secured secured(LinkSecurityConfig config) {
    String name = "link/" + fingerprint(config.key());
    ReplayTable replay = new ReplayTable(MAX_SENDERS);
    String heard = name + "/heard/";
    counters
        .loadAll(heard)
        .forEach(
            (key, highest) -> {
              Eui64 sender = new Eui64(Long.parseUnsignedLong(key.substring(heard.length()), 16));
              if (highest != NONE_HEARD) {
                ReplayTable.Entry entry = new ReplayTable.Entry(sender, config.keyId());
                replay.restore(new ReplayTable.Counter(entry, highest));
              }
            });
    LinkSecurity security =
        new LinkSecurity(
            LinkKeys.network(config.keyId(), new LinkKey(config.key())),
            Set.of(config.level()),
            replay,
            address -> null);
    String sentName = name + "/sent";
    FrameCounter sent =
        new FrameCounter(counters.load(sentName).orElse(0), STEP, upTo -> saveSent(sentName, upTo));
    return new Secured(config, security, replay, sent, name);
  }

  private void saveSent(String name, long upTo) {
    try {
      counters.save(Map.of(name, upTo));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String fingerprint(byte[] key) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(key);
      return Hex.format(Arrays.copyOf(hash, 8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Octets that security adds to each frame. */
  int overhead() {
    Secured on = secured;
    return on == null ? 0 : 5 + on.config().keyId().length() + on.config().level().micLength();
  }

  /** The payload in the clear. */
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

  /** The frame secured under the next frame counter; the frame itself where there is no key. */
  Frame seal(Frame frame, Eui64 self) throws WireException {
    Secured on = secured;
    if (on == null) {
      return frame;
    }
    return on.security()
        .seal(frame, on.config().level(), on.config().keyId(), self, on.sent().take());
  }

  /**
   * Accepts any frame counter in a neighbour's next frame, because the neighbour restarted and lost
   * its own counter. Recorded frames of the neighbour would be accepted until then, so only an
   * operator may ask for it.
   *
   * @return false if no counter of the neighbour was stored
   * @throws IOException if the counters could not be saved; the neighbour's counter is unchanged
   */
  public boolean forgive(Eui64 sender) throws IOException {
    Secured on = secured;
    if (on == null || !on.replay().knows(sender)) {
      return false;
    }
    counters.save(Map.of(on.name() + "/heard/" + sender, NONE_HEARD));
    return on.replay().forget(sender);
  }

  /** Saves the counters of received frames; false if the frames' content must be withheld. */
  public boolean persist() {
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
      counters.save(numbers);
      return true;
    } catch (IOException e) {
      LOG.error("cannot save the frame counters; the received frames are dropped", e);
      return false;
    }
  }
}

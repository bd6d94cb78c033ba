package dev.vigil.border.link;

import dev.vigil.border.config.LinkSecurityConfig;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.FrameCounter;
import dev.vigil.border.ieee802154.LinkKey;
import dev.vigil.border.ieee802154.LinkKeys;
import dev.vigil.border.ieee802154.LinkSecurity;
import dev.vigil.border.ieee802154.ReplayTable;
import dev.vigil.border.ieee802154.SecurityHeader;
import dev.vigil.border.storage.DurableCounters;
import dev.vigil.border.storage.RestoredCounters;
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
 * Link-layer security with durable frame counters. It connects the pure {@link LinkSecurity} to
 * counters that survive a restart. The counters' names contain a hash of the key, so that a new key
 * starts from zero. After a restore, a new key starts above any number that any key can have sent
 * ({@link RestoredCounters}). Belongs to the pipeline thread.
 */
public final class LinkSecurityState {
  private static final Logger LOG = LoggerFactory.getLogger(LinkSecurityState.class);
  private static final int MAX_SENDERS = 4_096;

  /** The number of sent frames for which one durable write reserves counters. */
  private static final int STEP = 1_024;

  /** The number of restores at the time when the key was new; 0 without a record. */
  private static final String BEGUN_AFTER_RESTORES = "/begun";

  private final DurableCounters counters;

  /** Whether the last write succeeded. A lasting failure is logged only once. */
  private boolean saving = true;

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
    String sentName = name + RestoredCounters.SENT;
    if (config.neverUsed() && counters.load(sentName).isEmpty()) {
      save(Map.of(sentName, 0L, name + BEGUN_AFTER_RESTORES, RestoredCounters.restores(counters)));
    }
    ReplayTable replay = heard(config, name);
    LinkSecurity security =
        new LinkSecurity(
            LinkKeys.network(config.keyId(), new LinkKey(config.key())),
            Set.of(config.level()),
            replay,
            address -> null);
    FrameCounter sent =
        new FrameCounter(
            counters.load(sentName).orElse(RestoredCounters.lowestUnrecorded(counters)),
            STEP,
            upTo -> save(Map.of(sentName, upTo)));
    return new Secured(config, security, replay, sent, name);
  }

  /**
   * The counters of received frames. If a key began in this store, a neighbour without a counter
   * was never heard under it. After a restore, such a neighbour may have been heard since the
   * backup.
   */
  private ReplayTable heard(LinkSecurityConfig config, String name) {
    long begunAfter = counters.load(name + BEGUN_AFTER_RESTORES).orElse(0);
    boolean complete = begunAfter == RestoredCounters.restores(counters);
    ReplayTable replay =
        new ReplayTable(MAX_SENDERS, complete ? ReplayTable.NONE : SecurityHeader.LAST_COUNTER);
    String heard = name + "/heard/";
    counters
        .loadAll(heard)
        .forEach(
            (key, highest) -> {
              Eui64 sender = new Eui64(Long.parseUnsignedLong(key.substring(heard.length()), 16));
              ReplayTable.Entry entry = new ReplayTable.Entry(sender, config.keyId());
              replay.restore(new ReplayTable.Counter(entry, highest));
            });
    return replay;
  }

  private void save(Map<String, Long> numbers) {
    try {
      counters.save(numbers);
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

  /** The frame secured under the next frame counter, or the frame itself if there is no key. */
  Frame seal(Frame frame, Eui64 self) throws WireException {
    Secured on = secured;
    if (on == null) {
      return frame;
    }
    return on.security()
        .seal(frame, on.config().level(), on.config().keyId(), self, on.sent().take());
  }

  /**
   * Accepts any frame counter in a neighbour's next frame. This is needed if the neighbour
   * restarted and lost its own counter, or if a restored backup has no counter of the neighbour.
   * Recorded frames of the neighbour would be accepted until then, so only an operator may ask for
   * it.
   *
   * @return false if no frame of the neighbour is refused because of its counter
   * @throws IOException if the counters could not be saved; the neighbour's counter is unchanged
   */
  public boolean forgive(Eui64 sender) throws IOException {
    Secured on = secured;
    if (on == null || !on.replay().knows(sender) && on.replay().acceptsUnknown()) {
      return false;
    }
    counters.save(Map.of(on.name() + "/heard/" + sender, ReplayTable.NONE));
    on.replay().forgive(new ReplayTable.Entry(sender, on.config().keyId()));
    return true;
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
      saving = true;
      return true;
    } catch (IOException e) {
      if (saving) {
        LOG.error(
            "cannot save the frame counters; the received frames are dropped: {}", e.getMessage());
      }
      saving = false;
      return false;
    }
  }
}

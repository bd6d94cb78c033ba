package dev.vigil.coap.blockwise;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.limits.FairPool;
import dev.vigil.coap.limits.Source;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.eclipse.californium.core.coap.BlockOption;
import org.eclipse.californium.core.coap.Response;
import org.jspecify.annotations.Nullable;

/**
 * The bodies that clients of all sockets fetch in blocks (RFC 7959). Sources share a bounded number
 * of octets fairly ({@link FairPool}). A body that does not fit is not kept: each of its blocks is
 * then cut from a newly computed response, and the ETag shows the client when the responses differ.
 * Safe for use by any number of threads.
 */
public final class BlockwiseDownloads {
  /** Longer than MAX_TRANSMIT_WAIT of RFC 7252 section 4.8.2, 93 s. */
  private static final long LIFETIME_NANOS = TimeUnit.MINUTES.toNanos(2);

  private static final long SWEEP_SECONDS = 30;
  private static final int OCTETS_PER_UNIT = 1024;

  /** Unverified sources, whose addresses may be forged, share a quarter of the octets. */
  private static final int UNVERIFIED_DIVISOR = 4;

  /** This class enforces the bound on units, because a body takes many of them. */
  private final FairPool<BlockwiseDownload> places;

  private final long maxOctets;
  private final BooleanSupplier memoryIsScarce;
  private final LongSupplier nanoTime;

  /** Ordered by last use. The lock of this map also guards the downloads and is taken first. */
  private final Map<BlockwiseDownload.Key, BlockwiseDownload> downloads =
      new LinkedHashMap<>(16, 0.75f, true);

  /** Guarded by the lock of the downloads. */
  private long octets;

  /**
   * @param maxOctets of all bodies together; a larger body is not kept
   */
  public BlockwiseDownloads(long maxOctets, BooleanSupplier memoryIsScarce, LongSupplier nanoTime) {
    this.places =
        new FairPool<>(
            new FairPool.Bounds(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE),
            displaced -> {});
    this.maxOctets = maxOctets;
    this.memoryIsScarce = memoryIsScarce;
    this.nanoTime = nanoTime;
  }

  /** The total size of the kept bodies, in octets. */
  long octets() {
    synchronized (downloads) {
      return octets;
    }
  }

  /**
   * Keeps the body of a response if there is room for it. It replaces an earlier body for the same
   * requests.
   */
  public void begin(BlockwiseDownload.Key key, Response whole, Caller caller) {
    synchronized (downloads) {
      BlockwiseDownload earlier = downloads.get(key);
      if (earlier != null) {
        remove(earlier);
      }
      Source source = Source.of(caller);
      BlockwiseDownload download = new BlockwiseDownload(key, whole);
      if (makeRoom(download.octets(), source)) {
        octets += download.octets();
        downloads.put(key, download);
        download.occupy(places.hold(source, download, units(download.octets())));
        download.used(nanoTime.getAsLong());
      }
    }
  }

  private boolean makeRoom(int needed, Source source) {
    if (needed > maxOctets
        || memoryIsScarce.getAsBoolean() && source.standing() != Source.Standing.AUTHENTICATED
        || source.standing() == Source.Standing.UNVERIFIED
            && places.size(Source.Standing.UNVERIFIED) + units(needed)
                > units(maxOctets / UNVERIFIED_DIVISOR)) {
      return false;
    }
    while (octets + needed > maxOctets) {
      BlockwiseDownload displaced = places.greediest(source, units(needed));
      if (displaced == null) {
        return false;
      }
      remove(displaced);
    }
    return true;
  }

  private static int units(long octets) {
    return (int) (1 + octets / OCTETS_PER_UNIT);
  }

  /** The response with one block of a kept body; null if the body is not kept. */
  public @Nullable Response next(BlockwiseDownload.Key key, BlockOption block) {
    synchronized (downloads) {
      BlockwiseDownload download = downloads.get(key);
      if (download == null || !download.has(block)) {
        return null;
      }
      Response response = download.block(block);
      if (response.getOptions().getBlock2().isM()) {
        download.used(nanoTime.getAsLong());
      } else {
        remove(download);
      }
      return response;
    }
  }

  private void remove(BlockwiseDownload download) {
    if (downloads.remove(download.key(), download)) {
      octets -= download.octets();
      download.release();
    }
  }

  public void scheduleSweeps(ScheduledExecutorService timer) {
    timer.scheduleWithFixedDelay(this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Drops the bodies whose clients have been silent for too long; drops all bodies while memory is
   * scarce.
   */
  public void sweep() {
    long now = nanoTime.getAsLong();
    boolean scarce = memoryIsScarce.getAsBoolean();
    synchronized (downloads) {
      Iterator<BlockwiseDownload> longestIdleFirst = downloads.values().iterator();
      while (longestIdleFirst.hasNext()) {
        BlockwiseDownload download = longestIdleFirst.next();
        if (!scarce && now - download.usedAt() < LIFETIME_NANOS) {
          return;
        }
        longestIdleFirst.remove();
        octets -= download.octets();
        download.release();
      }
    }
  }
}

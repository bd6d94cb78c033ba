package dev.vigil.coap.blockwise;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
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
import org.eclipse.californium.core.coap.Request;
import org.jspecify.annotations.Nullable;

/**
 * The block-wise uploads (RFC 7959) of all sockets. Sources share a bounded number of places fairly
 * ({@link FairPool}), so that one network cannot keep others from uploading. Safe for use by any
 * number of threads.
 */
public final class BlockwiseUploads {
  /** How long a client may pause: EXCHANGE_LIFETIME of RFC 7252 section 4.8.2, rounded up. */
  private static final long LIFETIME_NANOS = TimeUnit.MINUTES.toNanos(5);

  private static final long SWEEP_SECONDS = 30;
  private static final long RETRY_SECONDS = 30;

  private final FairPool<BlockwiseUpload> places;
  private final int maxBody;
  private final BooleanSupplier memoryIsScarce;
  private final LongSupplier nanoTime;

  /** Ordered by last use. The lock of this map also guards the uploads and is taken first. */
  private final Map<BlockwiseUpload.Key, BlockwiseUpload> uploads =
      new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param maxUploads a quarter is kept for authenticated clients; unverified ones have a quarter
   * @param maxBody octets
   */
  public BlockwiseUploads(
      int maxUploads, int maxBody, BooleanSupplier memoryIsScarce, LongSupplier nanoTime) {
    this.places =
        new FairPool<>(
            new FairPool.Bounds(maxUploads, maxUploads / 4, maxUploads - maxUploads / 4),
            this::displace);
    this.maxBody = maxBody;
    this.memoryIsScarce = memoryIsScarce;
    this.nanoTime = nanoTime;
  }

  public int maxBody() {
    return maxBody;
  }

  /** The number of unfinished uploads. */
  public int size() {
    return places.size();
  }

  /**
   * Adds a block to its upload.
   *
   * @return the whole request; null if more blocks follow
   * @throws ErrorResponseException 4.00, 4.08, 4.13; without a free place 4.01 to an unverified
   *     source, which may then repeat the block with Echo, or 5.03 to others
   */
  public @Nullable Request add(BlockwiseUpload.Key key, Request message, Caller caller) {
    BlockOption block = message.getOptions().getBlock1();
    synchronized (uploads) {
      BlockwiseUpload upload = block.getNum() == 0 ? begin(key, message) : uploads.get(key);
      if (upload == null) {
        throw BlockwiseUpload.incomplete("earlier blocks are missing; begin with block 0");
      }
      try {
        upload.add(message, maxBody);
      } catch (ErrorResponseException e) {
        remove(upload);
        throw e;
      }
      upload.used(nanoTime.getAsLong());
      if (!block.isM()) {
        remove(upload);
        return upload.assemble(message);
      }
      if (block.getNum() == 0) {
        occupy(upload, caller);
      }
      return null;
    }
  }

  private BlockwiseUpload begin(BlockwiseUpload.Key key, Request first) {
    BlockwiseUpload earlier = uploads.get(key);
    if (earlier != null) {
      remove(earlier);
    }
    return new BlockwiseUpload(key, first);
  }

  private void occupy(BlockwiseUpload upload, Caller caller) {
    Source source = Source.of(caller);
    if (memoryIsScarce.getAsBoolean() && source.standing() != Source.Standing.AUTHENTICATED) {
      throw new ErrorResponseException(
          Code.SERVICE_UNAVAILABLE, "the server is short of memory", RETRY_SECONDS);
    }
    FairPool<BlockwiseUpload>.Place place = places.admit(source, upload);
    if (place == null) {
      throw caller.verified()
          ? new ErrorResponseException(
              Code.SERVICE_UNAVAILABLE, "too many block-wise uploads", RETRY_SECONDS)
          : new ErrorResponseException(Code.UNAUTHORIZED, "repeat with Echo");
    }
    upload.occupy(place);
    uploads.put(upload.key(), upload);
  }

  private void remove(BlockwiseUpload upload) {
    uploads.remove(upload.key(), upload);
    upload.release();
  }

  /** The pool has already taken the place. */
  private void displace(BlockwiseUpload upload) {
    synchronized (uploads) {
      uploads.remove(upload.key(), upload);
    }
  }

  public void scheduleSweeps(ScheduledExecutorService timer) {
    timer.scheduleWithFixedDelay(this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Drops the uploads whose clients have been silent for too long. While memory is scarce, also
   * drops uploads of the greediest sources.
   */
  public void sweep() {
    if (memoryIsScarce.getAsBoolean()) {
      places.displaceGreediest(places.size() / 2 + 1);
    }
    long now = nanoTime.getAsLong();
    synchronized (uploads) {
      Iterator<BlockwiseUpload> longestIdleFirst = uploads.values().iterator();
      while (longestIdleFirst.hasNext()) {
        BlockwiseUpload upload = longestIdleFirst.next();
        if (now - upload.usedAt() < LIFETIME_NANOS) {
          return;
        }
        longestIdleFirst.remove();
        upload.release();
      }
    }
  }
}

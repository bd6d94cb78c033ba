package dev.vigil.coap.message;

import java.net.InetSocketAddress;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.eclipse.californium.core.network.MessageIdProvider;

/**
 * Message IDs from a fixed number of counters, which peers share by hash. An ID need only be unique
 * among the recent messages to one peer (RFC 7252 section 4.4). Californium's own provider keeps
 * state for each peer. It exhausts this state if one sender uses many addresses, and the IDs if a
 * peer requests many responses.
 */
public final class SharedMessageIds implements MessageIdProvider {
  private static final int COUNTERS = 4096;

  private final AtomicIntegerArray next = new AtomicIntegerArray(COUNTERS);
  private final int ids;

  /**
   * @param ids number of IDs, counted from 0 (MULTICAST_BASE_MID): Californium treats an
   *     acknowledgement of a higher ID as a response to multicast and drops it
   * @param random chooses the start of each counter, so that the IDs differ after a restart
   */
  public SharedMessageIds(int ids, Random random) {
    this.ids = ids;
    for (int i = 0; i < COUNTERS; i++) {
      next.set(i, random.nextInt(ids));
    }
  }

  @Override
  public int getNextMessageId(InetSocketAddress destination) {
    int hash = destination.hashCode();
    int counter = Math.floorMod(hash ^ hash >>> 16, COUNTERS);
    return next.getAndUpdate(counter, id -> id + 1 == ids ? 0 : id + 1);
  }
}

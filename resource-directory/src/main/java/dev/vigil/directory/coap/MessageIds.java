package dev.vigil.directory.coap;

import java.net.InetSocketAddress;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.eclipse.californium.core.network.MessageIdProvider;

/**
 * Message ids, which need only differ for one peer (RFC 7252 section 4.4): peers share counters,
 * and nothing is kept of any of them. Californium's own provider keeps something of each peer, has
 * no ids for new ones once a stranger has shown it enough addresses, and none for whoever asks for
 * many answers.
 */
final class MessageIds implements MessageIdProvider {
  private static final int COUNTERS = 4096;

  private final AtomicIntegerArray next = new AtomicIntegerArray(COUNTERS);
  private final int ids;

  /**
   * @param ids how many there are, from 0 (MULTICAST_BASE_MID): Californium takes an
   *     acknowledgement of a higher one for an answer to multicast, and drops it
   * @param random where each counter starts, so that the ids after a restart are others
   */
  MessageIds(int ids, Random random) {
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

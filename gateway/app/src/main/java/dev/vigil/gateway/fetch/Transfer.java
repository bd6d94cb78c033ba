package dev.vigil.gateway.fetch;

import dev.vigil.border.blocks.StoredBlock;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The transfer of one burst: waits for its blocks, requests missing blocks again, keeps each block
 * once. For one thread.
 */
final class Transfer {
  private static final int REPETITIONS = 4;

  private final MoteStore mote;
  private final BlockingQueue<StoredBlock> inbox;
  private final long silenceMillis;
  private final Map<Long, StoredBlock> intact = new TreeMap<>();
  private final SortedSet<Long> corrupted = new TreeSet<>();
  private final SortedSet<Long> unverified = new TreeSet<>();
  private final SortedSet<Long> missing = new TreeSet<>();

  /** Sends a request to {@code /store/send} of the mote. */
  @FunctionalInterface
  interface MoteStore {
    Burst send(byte[] request) throws IOException, InterruptedException;
  }

  /**
   * @param silenceMillis time without a block after which missing blocks count as lost
   */
  Transfer(MoteStore mote, BlockingQueue<StoredBlock> inbox, long silenceMillis) {
    this.mote = mote;
    this.inbox = inbox;
    this.silenceMillis = silenceMillis;
  }

  /**
   * Transfers a burst.
   *
   * @return where the next burst begins; 0: this was the last one
   */
  long run(byte[] request) throws IOException, InterruptedException {
    Burst burst = mote.send(request);
    corrupted.addAll(burst.damaged());
    missing.addAll(burst.blocks());
    receive();
    for (int i = 0; i < REPETITIONS && !missing.isEmpty(); i++) {
      mote.send(Burst.request(missing));
      receive();
    }
    // A block whose ICV stays wrong is damaged in the mote's block store.
    unverified.retainAll(missing);
    missing.removeAll(unverified);
    return burst.next();
  }

  /**
   * Takes blocks until none is missing, or every missing block came with a wrong ICV, or none
   * comes.
   */
  private void receive() throws InterruptedException {
    Set<Long> wrong = new HashSet<>();
    while (!wrong.containsAll(missing)) {
      StoredBlock block = inbox.poll(silenceMillis, TimeUnit.MILLISECONDS);
      if (block == null) {
        return;
      }
      if (!missing.contains(block.number())) {
        continue;
      }
      switch (block.state()) {
        case INTACT -> intact.put(block.number(), block);
        case CORRUPTED -> corrupted.add(block.number());
        case UNVERIFIED -> {
          wrong.add(block.number());
          unverified.add(block.number());
        }
      }
      if (block.state() != StoredBlock.State.UNVERIFIED) {
        missing.remove(block.number());
      }
    }
  }

  /** By their numbers. */
  Map<Long, StoredBlock> intact() {
    return intact;
  }

  /** Blocks that are damaged in the mote's block store. */
  SortedSet<Long> corrupted() {
    return corrupted;
  }

  /** Blocks that arrived, each time with a wrong ICV. */
  SortedSet<Long> unverified() {
    return unverified;
  }

  /** Blocks that did not arrive. */
  SortedSet<Long> missing() {
    return missing;
  }
}

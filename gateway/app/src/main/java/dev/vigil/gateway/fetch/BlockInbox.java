package dev.vigil.gateway.fetch;

import dev.vigil.border.blocks.StoredBlock;
import dev.vigil.border.ipv6.Ipv6Address;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/** The blocks that arrive for transfers under way, one transfer for each mote. */
final class BlockInbox {
  /** Two bursts; blocks that do not fit are requested again. */
  private static final int CAPACITY = 64;

  private final Map<Ipv6Address, BlockingQueue<StoredBlock>> queues = new ConcurrentHashMap<>();

  /** Begins a transfer; empty if another one with this mote is under way. */
  Optional<BlockingQueue<StoredBlock>> open(Ipv6Address mote) {
    BlockingQueue<StoredBlock> queue = new LinkedBlockingQueue<>(CAPACITY);
    return queues.putIfAbsent(mote, queue) == null ? Optional.of(queue) : Optional.empty();
  }

  void close(Ipv6Address mote) {
    queues.remove(mote);
  }

  /** Takes a block of any mote; never blocks. */
  void received(StoredBlock block) {
    BlockingQueue<StoredBlock> queue = queues.get(block.mote());
    if (queue != null) {
      queue.offer(block);
    }
  }
}

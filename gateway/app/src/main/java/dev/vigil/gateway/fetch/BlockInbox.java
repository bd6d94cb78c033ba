package dev.vigil.gateway.fetch;

import dev.vigil.border.blocks.BlockStoreId;
import dev.vigil.border.blocks.StoredBlock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/** The blocks that arrive for transfers under way, one transfer for each block store. */
final class BlockInbox {
  /** Two bursts; blocks that do not fit are requested again. */
  private static final int CAPACITY = 64;

  private final Map<BlockStoreId, BlockingQueue<StoredBlock>> queues = new ConcurrentHashMap<>();

  /** Begins a transfer; empty if another one from this block store is under way. */
  Optional<BlockingQueue<StoredBlock>> open(BlockStoreId store) {
    BlockingQueue<StoredBlock> queue = new LinkedBlockingQueue<>(CAPACITY);
    return queues.putIfAbsent(store, queue) == null ? Optional.of(queue) : Optional.empty();
  }

  void close(BlockStoreId store) {
    queues.remove(store);
  }

  /** Takes a block of any mote; never blocks. */
  void received(StoredBlock block) {
    BlockingQueue<StoredBlock> queue = queues.get(block.store());
    if (queue != null) {
      queue.offer(block);
    }
  }
}

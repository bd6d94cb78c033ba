package dev.vigil.border.associations;

import dev.vigil.border.blocks.BlockStoreId;
import dev.vigil.border.blocks.StoredBlock;
import dev.vigil.border.ipsec.AssociationFile.Entry;
import dev.vigil.border.ipsec.InboundAssociation;
import dev.vigil.border.ipsec.IpsecHeaders;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.wire.WireException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The associations of motes' block stores, under which motes send the blocks that they stored for
 * this host. Their replay windows last only as long as the process. This is safe because the
 * content of a block number never changes and the receiver keeps each block once. Belongs to the
 * pipeline thread, except {@link #addListener}.
 */
public final class StorageAssociations {
  private final List<Consumer<StoredBlock>> listeners = new CopyOnWriteArrayList<>();
  private Map<String, RunningAssociation> byName = Map.of();
  private Map<Selector, Stored> bySelector = Map.of();
  private Map<BlockStoreId, List<RunningAssociation>> byStore = Map.of();

  private record Selector(Ipv6Address destination, int spi) {}

  /** An association, and the name of its block store. */
  private record Stored(String store, RunningAssociation running) {}

  /** Adds a listener for received blocks. The pipeline thread calls the listener. */
  public void addListener(Consumer<StoredBlock> listener) {
    listeners.add(listener);
  }

  /**
   * Replaces all associations. Those with the same keys, SPI and destination keep their windows.
   */
  List<AssociationStatus> install(List<Entry> entries, Map<Integer, List<String>> warnings) {
    Map<String, RunningAssociation> names = new HashMap<>();
    Map<Selector, Stored> selectors = new HashMap<>();
    Map<BlockStoreId, List<RunningAssociation>> stores = new HashMap<>();
    List<AssociationStatus> statuses =
        entries.stream()
            .map(
                entry -> {
                  RunningAssociation running = kept(entry);
                  names.put(SequenceRecords.name(entry), running);
                  selectors.put(
                      new Selector(entry.own(), entry.association().spi()),
                      new Stored(entry.store(), running));
                  stores
                      .computeIfAbsent(
                          new BlockStoreId(entry.peer(), entry.store()), id -> new ArrayList<>())
                      .add(running);
                  return running.status(entry, warnings.getOrDefault(entry.line(), List.of()));
                })
            .toList();
    byName = names;
    bySelector = selectors;
    byStore = stores;
    return statuses;
  }

  private RunningAssociation kept(Entry entry) {
    String name = SequenceRecords.name(entry);
    RunningAssociation running = byName.get(name);
    if (running != null && running.carries(entry.association())) {
      return running;
    }
    long top = running == null ? 0 : running.top();
    return RunningAssociation.receiving(name, new InboundAssociation(entry.association(), top));
  }

  /** Accepts all sequence numbers of a block store again, for a transfer in mode D. */
  public void reset(BlockStoreId store) {
    byStore.getOrDefault(store, List.of()).forEach(RunningAssociation::reset);
  }

  /**
   * Opens a packet of a block store and passes its block to the listeners.
   *
   * @return false if the packet does not belong to a block store
   */
  public boolean take(Ipv6Packet packet) throws WireException {
    if (bySelector.isEmpty()) {
      return false;
    }
    IpsecHeaders headers = IpsecHeaders.of(packet);
    Stored found =
        headers.ah().isPresent() || headers.esp().isEmpty()
            ? null
            : bySelector.get(new Selector(packet.destination(), headers.esp().getAsInt()));
    if (found == null) {
      return false;
    }
    StoredBlock block;
    try {
      block = StoredBlock.verified(found.store(), packet, found.running().open(packet));
    } catch (WireException e) {
      block =
          switch (e.reason()) {
            case ICV_WRONG -> StoredBlock.unverified(found.store(), packet);
            // The padding is checked after the ICV.
            case ESP_PADDING -> StoredBlock.corrupted(found.store(), packet);
            default -> throw e;
          };
    }
    for (Consumer<StoredBlock> listener : listeners) {
      listener.accept(block);
    }
    return true;
  }
}

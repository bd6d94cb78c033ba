package dev.vigil.border.bridge;

import dev.vigil.border.associations.AssociationStatus;
import dev.vigil.border.associations.InstallReport;
import dev.vigil.border.associations.SecurityAssociations;
import dev.vigil.border.blocks.BlockStoreId;
import dev.vigil.border.blocks.StoredBlock;
import dev.vigil.border.ipsec.AssociationFile;
import dev.vigil.border.pipeline.PipelineThread;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The associations that end at a bridge. All methods may be called from any thread. */
public final class BridgeAssociations {
  private final SecurityAssociations associations;
  private final PipelineThread pipeline;

  BridgeAssociations(SecurityAssociations associations, PipelineThread pipeline) {
    this.associations = associations;
    this.pipeline = pipeline;
  }

  /**
   * Replaces all associations. Associations with the same keys, SPI and destination continue with
   * their numbers and windows. Associations that are installed before the bridge starts apply from
   * its first packet.
   *
   * @param discard whether packets in clear of peers without associations are dropped
   * @param neverUsed whether an operator states that associations without a record were never used
   * @return the changes; fails without any change if a record cannot be written
   */
  public CompletableFuture<InstallReport> install(
      AssociationFile file, boolean discard, boolean neverUsed) {
    CompletableFuture<InstallReport> installed = new CompletableFuture<>();
    pipeline.execute(
        () -> {
          try {
            installed.complete(associations.install(file, discard, neverUsed));
          } catch (IOException | RuntimeException e) {
            installed.completeExceptionally(e);
          }
        });
    return installed;
  }

  /**
   * Adds a listener for the blocks that motes send from their block stores. The pipeline thread
   * calls the listener.
   */
  public void addStoredBlockListener(Consumer<StoredBlock> listener) {
    associations.blockStores().addListener(listener);
  }

  /** Accepts all sequence numbers of a block store again, for a transfer in mode D. */
  public CompletableFuture<Boolean> resetBlockStore(BlockStoreId store) {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    pipeline.execute(
        () -> {
          associations.blockStores().reset(store);
          done.complete(true);
        });
    return done;
  }

  /** The state and the counters of each association, in the order of their file. */
  public List<AssociationStatus> statuses() {
    return associations.statuses();
  }
}

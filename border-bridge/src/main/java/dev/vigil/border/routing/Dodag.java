package dev.vigil.border.routing;

import dev.vigil.border.config.MeshConfig;
import dev.vigil.border.pipeline.DropCounters;
import dev.vigil.border.pipeline.PipelineThread;
import dev.vigil.border.rpl.RplNode;
import dev.vigil.border.rpl.RplRoot;
import dev.vigil.border.storage.DurableCounters;
import dev.vigil.border.wire.WireException;
import java.util.List;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs the RPL root and publishes its state: timers and repairs, and a snapshot of the DODAG for
 * other threads. The root's messages are sent by the router. Without a root the snapshot is empty
 * and repairs do nothing.
 *
 * <p>{@link #tick}, {@link #deadline} and {@link #publish} belong to the pipeline thread; any
 * thread may call the others.
 */
public final class Dodag {
  private interface Action {
    List<RplRoot.Outgoing> apply(RplRoot root, long nowMillis);
  }

  private final @Nullable RplRoot root;
  private final Router router;
  private final PipelineThread pipeline;
  private final DropCounters drops;
  private volatile List<RplNode> nodes = List.of();
  private volatile OptionalInt version;

  public Dodag(@Nullable RplRoot root, Router router, PipelineThread pipeline, DropCounters drops) {
    this.root = root;
    this.router = router;
    this.pipeline = pipeline;
    this.drops = drops;
    this.version = root == null ? OptionalInt.empty() : OptionalInt.of(root.version());
  }

  /**
   * The RPL root of a mesh, whose version is a durable counter; null if the configuration has no
   * root.
   */
  public static @Nullable RplRoot root(
      MeshConfig mesh,
      DurableCounters counters,
      RandomGenerator random,
      DropCounters drops,
      long nowMillis) {
    return mesh.rplRoot()
        ? new RplRoot(
            mesh.address(),
            mesh.prefix(),
            mesh.dioIntervalMin(),
            new DodagVersionStore(counters),
            random,
            drops::count,
            nowMillis)
        : null;
  }

  /** The nodes as of the last {@link #publish}. */
  public List<RplNode> nodes() {
    return nodes;
  }

  /** The DODAG version as of the last {@link #publish}; empty if the bridge is not a root. */
  public OptionalInt version() {
    return version;
  }

  /** Moves all motes to a new DODAG version. */
  public void globalRepair() {
    pipeline.execute(() -> apply(RplRoot::globalRepair));
  }

  /** Asks all motes to announce their routes again. */
  public void refreshRoutes() {
    pipeline.execute(() -> apply(RplRoot::refreshRoutes));
  }

  /** Runs the root's timers. */
  public void tick() {
    apply(RplRoot::tick);
  }

  /** The time at which {@link #tick} is due, in milliseconds; {@link Long#MAX_VALUE} for never. */
  public long deadline() {
    return root == null ? Long.MAX_VALUE : root.deadline();
  }

  /** Publishes the root's current state to other threads. */
  public void publish(long nowMillis) {
    if (root != null) {
      nodes = root.nodes(nowMillis);
      version = OptionalInt.of(root.version());
    }
  }

  private void apply(Action action) {
    if (root != null) {
      long now = pipeline.nowMillis();
      try {
        router.send(action.apply(root, now));
      } catch (WireException e) {
        drops.count(e.reason());
      }
    }
  }
}

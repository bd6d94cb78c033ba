package dev.vigil.border;

import dev.vigil.border.rpl.RplNode;
import dev.vigil.border.rpl.RplRoot;
import dev.vigil.border.wire.WireException;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The DODAG, for those who steer and watch it; where the bridge is no root there is nothing to see
 * or do. What a root wants sent goes out through the router.
 *
 * <p>{@link #tick}, {@link #deadline} and {@link #show} belong to the pipeline thread, the others
 * to anybody.
 */
final class Dodag {
  private interface Action {
    List<RplRoot.Send> apply(RplRoot root, long nowMillis);
  }

  private final @Nullable RplRoot root;
  private final Router router;
  private final Pipeline pipeline;
  private final Drops drops;
  private volatile List<RplNode> nodes = List.of();
  private volatile OptionalInt version;

  Dodag(@Nullable RplRoot root, Router router, Pipeline pipeline, Drops drops) {
    this.root = root;
    this.router = router;
    this.pipeline = pipeline;
    this.drops = drops;
    this.version = root == null ? OptionalInt.empty() : OptionalInt.of(root.version());
  }

  /** As of the last {@link #show}. */
  List<RplNode> nodes() {
    return nodes;
  }

  /** As of the last {@link #show}; empty if the bridge is no root. */
  OptionalInt version() {
    return version;
  }

  /** All motes join a new version. */
  void globalRepair() {
    pipeline.execute(() -> apply(RplRoot::globalRepair));
  }

  /** All motes announce their routes again. */
  void refreshRoutes() {
    pipeline.execute(() -> apply(RplRoot::refreshRoutes));
  }

  /** Time has passed. */
  void tick() {
    apply(RplRoot::tick);
  }

  /** When {@link #tick} is due, milliseconds; {@link Long#MAX_VALUE} for never. */
  long deadline() {
    return root == null ? Long.MAX_VALUE : root.deadline();
  }

  /** Shows others what the root knows by now. */
  void show(long nowMillis) {
    if (root != null) {
      nodes = root.nodes(nowMillis);
      version = OptionalInt.of(root.version());
    }
  }

  private void apply(Action action) {
    if (root != null) {
      long now = pipeline.nowMillis();
      try {
        router.send(action.apply(root, now), now);
      } catch (WireException e) {
        drops.count(e.reason());
      }
    }
  }
}

package dev.vigil.gateway.associations;

import dev.vigil.border.associations.InstallReport;
import dev.vigil.mirror.MirrorOperations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Loads the file of associations again when it has changed. A thread checks every second. A change
 * counts when two checks saw the same state, so that a file that is still being written is not
 * read.
 */
@Component
class AssociationWatch implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(AssociationWatch.class);
  private static final long EVERY_MILLIS = 1_000;

  /** The actor in the audit trail. */
  private static final String GATEWAY = "gateway";

  private final AssociationLoader loader;
  private final MirrorOperations mirror;
  private @Nullable ScheduledExecutorService timer;
  private @Nullable FileState changed;

  AssociationWatch(AssociationLoader loader, MirrorOperations mirror) {
    this.loader = loader;
    this.mirror = mirror;
  }

  @Override
  public synchronized void start() {
    Path file = loader.file().orElse(null);
    if (file == null) {
      return;
    }
    ScheduledExecutorService executor =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("associations").factory());
    executor.scheduleWithFixedDelay(
        () -> look(file), EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    timer = executor;
  }

  synchronized void look(Path file) {
    FileState now = FileState.of(file);
    if (now == null || loader.hasRead(now)) {
      changed = null;
      return;
    }
    if (!now.equals(changed)) {
      changed = now;
      return;
    }
    try {
      InstallReport report = loader.load(false);
      log.warn("IPsec: {} has changed: {}", file, report);
      mirror.recordAction("associations loaded from their file: " + report, GATEWAY);
    } catch (IOException e) {
      log.error("IPsec: the changed file is not used: {}", e.getMessage());
    } catch (RuntimeException e) {
      log.error("IPsec: the changed file is not used", e);
    }
  }

  @Override
  public synchronized void stop() {
    if (timer != null) {
      timer.shutdownNow();
      timer = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return timer != null;
  }
}

package dev.vigil.gateway.network;

import dev.vigil.border.associations.InstallReport;
import dev.vigil.mirror.MirrorOperations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Loads the file of associations again when it has changed; a thread looks every two seconds. */
@Component
class AssociationWatch implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(AssociationWatch.class);
  private static final long EVERY_MILLIS = 2_000;

  /** The actor in the audit trail. */
  private static final String GATEWAY = "gateway";

  private final AssociationLoader loader;
  private final MirrorOperations mirror;
  private @Nullable ScheduledExecutorService timer;
  private @Nullable State seen;

  /**
   * The attributes that change when a file is written or replaced.
   *
   * @param key the file's identity, which a rename changes
   */
  private record State(FileTime modified, long size, @Nullable Object key) {}

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
    seen = state(file);
    ScheduledExecutorService executor =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("associations").factory());
    executor.scheduleWithFixedDelay(
        () -> look(file), EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    timer = executor;
  }

  private synchronized void look(Path file) {
    State now = state(file);
    if (now == null || now.equals(seen)) {
      return;
    }
    seen = now;
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

  private static @Nullable State state(Path file) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return new State(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    } catch (IOException e) {
      // The file is being replaced, or was removed: the associations that run go on.
      return null;
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

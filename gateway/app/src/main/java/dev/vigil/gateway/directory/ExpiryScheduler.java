package dev.vigil.gateway.directory;

import dev.vigil.directory.Directory;
import dev.vigil.mirror.MirrorProxy;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Expires registrations and commands once a second, so that observers are notified, and forgets
 * names that expired before their key was trusted.
 */
@Component
class ExpiryScheduler implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(ExpiryScheduler.class);

  private final Directory directory;
  private final MirrorProxy mirror;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("directory-clock").daemon().factory());
  private volatile boolean running;

  ExpiryScheduler(Directory directory, MirrorProxy mirror) {
    this.directory = directory;
    this.mirror = mirror;
  }

  @Override
  public void start() {
    running = true;
    timer.scheduleWithFixedDelay(this::expire, 1, 1, TimeUnit.SECONDS);
  }

  private void expire() {
    try {
      directory.expire();
      mirror.expireCommands();
      mirror.forgetExpiredNames();
    } catch (RuntimeException e) {
      log.error("expiring registrations and commands failed; trying again in a second", e);
    }
  }

  @Override
  public void stop() {
    running = false;
    timer.shutdownNow();
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}

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

/** Has time pass while the gateway runs, so that observers hear of what expired. */
@Component
class Passing implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(Passing.class);

  private final Directory directory;
  private final MirrorProxy mirror;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("directory-clock").daemon().factory());
  private volatile boolean running;

  Passing(Directory directory, MirrorProxy mirror) {
    this.directory = directory;
    this.mirror = mirror;
  }

  @Override
  public void start() {
    running = true;
    timer.scheduleWithFixedDelay(this::pass, 1, 1, TimeUnit.SECONDS);
  }

  private void pass() {
    try {
      directory.pass();
      mirror.pass();
    } catch (RuntimeException e) {
      log.error("letting lifetimes pass failed", e);
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

package dev.vigil.border.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.vigil.border.bridge.BridgeTest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class PipelineThreadTest {
  private static class Nothing implements PipelineThread.Hooks {
    @Override
    public void tick(long nowMillis) {}

    @Override
    public long deadline() {
      return Long.MAX_VALUE;
    }

    @Override
    public void batchDone(long nowMillis) {}
  }

  @Test
  void aQuotaLimitsAFloodAndIsFreedAfterwards() {
    PipelineThread pipeline = new PipelineThread(System::nanoTime, new Nothing());
    PipelineThread.Quota world = pipeline.quota(256);
    int taken = 0;
    for (int i = 0; i < 10_000; i++) {
      taken += world.offer(() -> {}) ? 1 : 0;
    }
    assertThat(taken).isEqualTo(256);
    assertThat(pipeline.offer(() -> {})).as("a frame").isTrue();
    pipeline.start();
    BridgeTest.await(() -> world.offer(() -> {}));
    pipeline.close();
  }

  @Test
  void aBatchHasAtMost64Tasks() {
    AtomicInteger tasks = new AtomicInteger();
    List<Integer> batches = new CopyOnWriteArrayList<>();
    try (PipelineThread pipeline =
        new PipelineThread(
            System::nanoTime,
            new Nothing() {
              @Override
              public void batchDone(long nowMillis) {
                batches.add(tasks.getAndSet(0));
              }
            })) {
      for (int i = 0; i < 130; i++) {
        pipeline.execute(tasks::incrementAndGet);
      }
      pipeline.start();
      BridgeTest.await(() -> batches.size() >= 3);
    }
    assertThat(batches).startsWith(64, 64, 2);
  }

  @Test
  void tasksThatFailWriteOneLineAMinute() {
    AtomicLong nanos = new AtomicLong();
    Logger log = (Logger) LoggerFactory.getLogger(PipelineThread.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    log.addAppender(lines);
    try (PipelineThread pipeline = new PipelineThread(nanos::get, new Nothing())) {
      pipeline.start();
      fail(pipeline, 100);
      assertThat(lines.list).hasSize(1);
      nanos.addAndGet(60_000_000_000L);
      fail(pipeline, 100);
      assertThat(lines.list).hasSize(2);
    } finally {
      log.detachAppender(lines);
    }
  }

  private static void fail(PipelineThread pipeline, int times) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    for (int i = 0; i < times; i++) {
      pipeline.execute(
          () -> {
            throw new IllegalStateException("No space left on device");
          });
    }
    pipeline.execute(() -> done.complete(null));
    done.orTimeout(30, TimeUnit.SECONDS).join();
  }
}

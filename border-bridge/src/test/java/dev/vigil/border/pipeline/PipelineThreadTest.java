package dev.vigil.border.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.bridge.BridgeTest;
import org.junit.jupiter.api.Test;

class PipelineThreadTest {
  private static final class Nothing implements PipelineThread.Hooks {
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
}

package dev.vigil.border;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PipelineTest {
  private static final class Nothing implements Pipeline.Work {
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
  void aFloodFromOneSideLeavesRoomForTheOthersAndEndsWithIt() {
    Pipeline pipeline = new Pipeline(System::nanoTime, new Nothing());
    Pipeline.Share world = pipeline.share(256);
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

package dev.vigil.gateway.coap;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class HeapPressureTest {
  private long nanos;
  private int collections;
  private HeapPressure.Usage usage = new HeapPressure.Usage(used(10), null);
  private final HeapPressure pressure =
      new HeapPressure(() -> usage, () -> collections++, () -> nanos);

  private static MemoryUsage used(int percent) {
    return new MemoryUsage(0, percent, 100, 100);
  }

  private boolean isScarceAfter(Duration time, int percentNow, int percentLive) {
    nanos += time.toNanos();
    usage = new HeapPressure.Usage(used(percentNow), used(percentLive));
    return pressure.getAsBoolean();
  }

  @Test
  void memoryIsScarceWhileMostObjectsLive() {
    assertThat(pressure.getAsBoolean()).as("before any collection").isFalse();
    assertThat(isScarceAfter(Duration.ofSeconds(1), 95, 50)).as("garbage").isFalse();
    assertThat(isScarceAfter(Duration.ofSeconds(1), 95, 95)).isTrue();
    assertThat(isScarceAfter(Duration.ofSeconds(1), 60, 95)).isFalse();
    assertThat(isScarceAfter(Duration.ofSeconds(1), 95, 50)).isFalse();
  }

  @Test
  void asksForACollectionWhenMemoryStaysScarce() {
    assertThat(isScarceAfter(Duration.ofSeconds(1), 95, 95)).isTrue();
    assertThat(isScarceAfter(Duration.ofSeconds(29), 95, 95)).isTrue();
    assertThat(collections).isZero();
    assertThat(isScarceAfter(Duration.ofSeconds(1), 95, 95)).isTrue();
    assertThat(collections).isEqualTo(1);
    assertThat(isScarceAfter(Duration.ofSeconds(29), 95, 95)).isTrue();
    assertThat(collections).isEqualTo(1);
  }

  @Test
  void thisProcessHasMemory() {
    BooleanSupplier own = HeapPressure.ofThisProcess(System::nanoTime);
    assertThat(own.getAsBoolean()).isFalse();
  }
}

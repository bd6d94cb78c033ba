package dev.vigil.border.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.wire.Hex;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoredReadingTest {
  @Test
  void readsSensorValueTimeAndSequenceNumber() throws Exception {
    byte[] payload = Hex.parse("0f0008fc6ac8b34000011e0059d86ac8b34100022000002a6ac8b3420003");
    assertThat(StoredReading.all(payload))
        .containsExactly(
            new StoredReading(0, new BigDecimal("230.0"), 0x6ac8b340L, 1),
            new StoredReading(1, new BigDecimal("230.00"), 0x6ac8b341L, 2),
            new StoredReading(2, new BigDecimal("42"), 0x6ac8b342L, 3));
  }

  @Test
  void readsNegativeValuesAndPositiveExponents() throws Exception {
    byte[] payload = Hex.parse("e4f333336ac8b340ffff");
    assertThat(StoredReading.all(payload))
        .containsExactly(
            new StoredReading(14, BigDecimal.valueOf(-838861, -4), 0x6ac8b340L, 65535));
  }

  @Test
  void skipsPlacesWithoutReadingAndTheRestOfThePayload() throws Exception {
    byte[] payload = Hex.parse("0f0008fc6ac8b3400001" + "ff".repeat(44));
    assertThat(StoredReading.all(payload)).hasSize(1);
    assertThat(StoredReading.all(new byte[9])).isEqualTo(List.of());
  }
}

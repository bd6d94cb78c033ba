package dev.vigil.border.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.vigil.border.ieee802154.SecurityLevel;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the model with the measured totals of Alharby 2018. */
class AlharbyTablesTest {
  private static final Percentage ALLOWED = Percentage.withPercentage(6);

  /** Table V, level 0: processor and radio. Table VII is relative to these values. */
  private static final double CPU_OF_LEVEL_0 = 9.53;

  private static final double RADIO_OF_LEVEL_0 = 73.28;

  private static double microjoules(Board board, int level, int payload) {
    LinkFrame frame = LinkFrame.between(SecurityLevel.of(level), new byte[payload]);
    double cpu = CpuTime.TMOTE_SKY.millis(1, frame.aesBlocks());
    return board.microjoules(new Board.Work(frame.millis(), 0, cpu));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 82.81", "1, 108.926", "2, 116.54", "3, 127.87",
    "4, 110.19", "5, 112.3", "6, 119.91", "7, 132.88"
  })
  void repeatsTableFive(int level, double total) {
    assertThat(microjoules(Board.TMOTE_SKY, level, 24)).isCloseTo(total, ALLOWED);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 177.6", "1, 212.74", "2, 220.99", "3, 233.99",
    "4, 224.89", "5, 228.17", "6, 236.45", "7, 249.21"
  })
  void predictsTableSix(int level, double total) {
    assertThat(microjoules(Board.TMOTE_SKY, level, 80)).isCloseTo(total, ALLOWED);
  }

  @ParameterizedTest
  @CsvSource({"1, 44.47", "2, 52.77", "3, 65.05", "4, 51.40", "5, 53.32", "6, 62.05", "7, 76.10"})
  void predictsTableSevenAtTheLowestTransmitPower(int level, double percentMore) {
    Board weak = Board.TMOTE_SKY.atLowestTransmitPower();
    double level0 =
        CPU_OF_LEVEL_0 + RADIO_OF_LEVEL_0 * weak.txMilliamps() / Board.TMOTE_SKY.txMilliamps();
    assertThat(microjoules(weak, level, 24)).isCloseTo(level0 * (1 + percentMore / 100), ALLOWED);
  }

  @Test
  void aLineThroughItsSamplesIsFoundExactly() {
    var line =
        CpuTime.fit(
            List.of(new CpuTime.Sample(0, 1), new CpuTime.Sample(2, 2), new CpuTime.Sample(6, 4)));
    assertThat(line.frameMillis()).isCloseTo(1, within(1e-9));
    assertThat(line.blockMillis()).isCloseTo(0.5, within(1e-9));
    assertThat(line.millis(2, 3)).isCloseTo(3.5, within(1e-9));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 5", "3, 5", "5, 7", "7, 7"})
  void countsTheBlocksOfCcm(int level, int blocks) {
    assertThat(LinkFrame.between(SecurityLevel.of(level), new byte[24]).aesBlocks())
        .isEqualTo(blocks);
  }
}

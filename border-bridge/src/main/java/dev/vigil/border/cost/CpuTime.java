package dev.vigil.border.cost;

import dev.vigil.border.ieee802154.SecurityLevel;
import java.util.ArrayList;
import java.util.List;

/**
 * The processor time of a sent frame, a linear function of its AES blocks.
 *
 * @param frameMillis time without AES blocks
 * @param blockMillis time of each AES block
 */
public record CpuTime(double frameMillis, double blockMillis) {
  /**
   * Alharby, table V: microjoules of the processor for levels 0 to 7 and a payload of 24 octets.
   */
  private static final List<Double> TABLE_V =
      List.of(9.53, 24.01, 24.15, 24.32, 28.95, 28.5, 29.11, 29.33);

  private static final int TABLE_V_PAYLOAD = 24;

  /** Calibrated once, on Alharby's table V. */
  public static final CpuTime TMOTE_SKY = calibrate(Board.TMOTE_SKY);

  /** A measured time. */
  record Sample(int blocks, double millis) {}

  private static CpuTime calibrate(Board board) {
    List<Sample> samples = new ArrayList<>();
    double microjoulesPerMilli = board.microjoules(new Board.Work(0, 0, 1));
    for (int level = 0; level < TABLE_V.size(); level++) {
      LinkFrame frame = LinkFrame.between(SecurityLevel.of(level), new byte[TABLE_V_PAYLOAD]);
      samples.add(new Sample(frame.aesBlocks(), TABLE_V.get(level) / microjoulesPerMilli));
    }
    return fit(samples);
  }

  /** The straight line fitted by least squares. */
  static CpuTime fit(List<Sample> samples) {
    double meanBlocks = samples.stream().mapToInt(Sample::blocks).average().orElseThrow();
    double meanMillis = samples.stream().mapToDouble(Sample::millis).average().orElseThrow();
    double covariance = 0;
    double variance = 0;
    for (Sample sample : samples) {
      double distance = sample.blocks() - meanBlocks;
      covariance += distance * (sample.millis() - meanMillis);
      variance += distance * distance;
    }
    double slope = covariance / variance;
    return new CpuTime(meanMillis - slope * meanBlocks, slope);
  }

  /** The time of a number of frames that together have a number of blocks. */
  public double millis(int frames, int blocks) {
    return frames * frameMillis + blocks * blockMillis;
  }
}

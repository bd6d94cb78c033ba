package dev.vigil.directory.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrdinalSetTest {
  /** Small, sparse and dense sets that grow and shrink. */
  @ParameterizedTest
  @CsvSource({"1, 20, 300", "2, 300, 2000", "3, 20000, 30000", "4, 300000, 60000"})
  void agreesWithATreeSet(long seed, int range, int steps) {
    Random random = new Random(seed);
    OrdinalSet ordinals = new OrdinalSet();
    TreeSet<Integer> expected = new TreeSet<>();
    for (int step = 0; step < steps; step++) {
      int number = random.nextInt(range);
      // Mostly additions in the first half, mostly removals in the second.
      if (random.nextInt(steps) > step) {
        ordinals.add(number);
        expected.add(number);
      } else {
        ordinals.remove(number);
        expected.remove(number);
      }
      int probe = random.nextInt(range);
      assertThat(ordinals.contains(probe)).isEqualTo(expected.contains(probe));
      Integer next = expected.ceiling(probe);
      assertThat(ordinals.nextFrom(probe)).isEqualTo(next == null ? OrdinalSet.NONE : next);
      assertThat(ordinals.size()).isEqualTo(expected.size());
    }
  }
}

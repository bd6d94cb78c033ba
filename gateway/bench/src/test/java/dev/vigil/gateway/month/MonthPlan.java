package dev.vigil.gateway.month;

import java.util.ArrayList;
import java.util.List;

/** The motes of a month. */
final class MonthPlan {
  /** Seconds between wake-ups. The first of these motes are routers, the last ones are not. */
  private static final int[] ALWAYS = {
    900, 1800, 1800, 3600, 3600, 3600, 5400, 7200, 7200, 10_800, 14_400, 21_600, 43_200, 86_400
  };

  private static final int[] WINDOWS = {5, 10, 20, 30, 60, 120};
  private static final int FIRST = 2;

  /** Slower motes with ESP would be late for days after a loss of power. */
  private static final int ESP_SECONDS = 10_800;

  private static final int FREQUENT_SECONDS = 3600;

  private MonthPlan() {}

  /** Twenty motes with all forms of updates, with and without clocks, in two domains. */
  static List<MotePlan> twenty() {
    List<MotePlan> plans = new ArrayList<>();
    for (int wake : ALWAYS) {
      plans.add(plan(FIRST + plans.size(), wake, false));
    }
    for (int wake : WINDOWS) {
      plans.add(plan(FIRST + plans.size(), wake, true));
    }
    return plans;
  }

  /** Three motes that wake every few minutes; one has a block store. */
  static List<MotePlan> frequent() {
    return List.of(plan(2, 300, false), plan(3, 300, false).withBlockStore(), plan(4, 300, false));
  }

  private static MotePlan plan(int id, int wake, boolean windows) {
    return new MotePlan(
        id,
        "mote-" + id,
        id % 2 == 0 ? "" : "plant",
        wake * 1000L,
        id % 3 == 0 ? 0 : 500,
        wake < FREQUENT_SECONDS ? 4 : 1,
        wake < FREQUENT_SECONDS ? 1 : 2,
        id % 4 < 2,
        id % 3 != 1,
        id % 7 == 0,
        id % 6 == 5,
        windows,
        id % 4 == 3 && wake <= ESP_SECONDS,
        false);
  }
}

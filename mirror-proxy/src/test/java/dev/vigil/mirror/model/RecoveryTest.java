package dev.vigil.mirror.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.mirror.model.Recovery.Progress;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RecoveryTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

  private static Progress gap(int number) {
    return new Recovery("fd00::1", Instant.EPOCH)
        .progress(START.plusSeconds(number), START.plusSeconds(number + 1), "slow");
  }

  private static Progress unnamed(Progress progress) {
    return new Progress(progress.from(), progress.to(), "", 0, new TreeSet<>());
  }

  @Test
  void progressIsReadAsItWasStored() {
    Progress begun = gap(1).after(0, 33, Set.of(3L, 9L));
    Progress complete = gap(2).after(0, Progress.END, Set.of());
    Recovery recovery = new Recovery("fd00::1", START).with(begun).with(complete);

    Recovery read = Recovery.read(recovery.body());

    assertThat(read).isEqualTo(recovery);
    assertThat(read.progress(begun.from(), begun.to(), "slow")).isEqualTo(begun);
    assertThat(read.progress(begun.from(), begun.to(), "")).isEqualTo(unnamed(begun));
    assertThat(read.through(begun.to()).open()).containsExactly(complete);
  }

  @Test
  void onlyMissingBlocksAndThoseNotAskedForAreOpen() {
    Progress progress = gap(1).after(0, 33, Set.of(3L, 9L));
    assertThat(progress.following(0)).isEqualTo(3);
    assertThat(progress.following(4)).isEqualTo(9);
    assertThat(progress.following(10)).isEqualTo(33);
    assertThat(progress.isTaken(4)).isTrue();
    assertThat(progress.isTaken(9)).isFalse();
    Progress later = progress.after(0, 5, Set.of(4L)).after(33, Progress.END, Set.of());
    assertThat(later.missing()).as("block 4 is taken").containsExactly(9L);
    assertThat(later.isComplete()).isFalse();
    assertThat(later.after(9, 41, Set.of(9L)).missing()).containsExactly(9L);
    assertThat(later.after(9, 41, Set.of()).isComplete()).isTrue();
  }

  @Test
  void theOldestGapIsGivenUpWhenThereAreTooMany() {
    Recovery recovery = new Recovery("fd00::1", Instant.EPOCH);
    for (int i = 0; i <= Recovery.MAX_OPEN; i++) {
      recovery = recovery.with(gap(i).after(0, Progress.END, Set.of()));
    }
    assertThat(recovery.open()).hasSize(Recovery.MAX_OPEN);
    assertThat(recovery.through()).isEqualTo(gap(0).to());
  }
}

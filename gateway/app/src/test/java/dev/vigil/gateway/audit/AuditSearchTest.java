package dev.vigil.gateway.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.mirror.read.AuditEntry;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AuditSearchTest {
  private static final Predicate<AuditEntry> ALL = entry -> true;
  private static final Predicate<AuditEntry> NONE = entry -> false;

  private static AuditEntry entry(long position, String action) {
    AuditEntry.Edit edit = new AuditEntry.Edit("alarm-rule", "hot", null, null);
    return new AuditEntry(
        position, Instant.EPOCH, null, "oven", "lab", action, "", "account:ann", edit);
  }

  /** A trail of changes 1 to {@code changes}, each of {@code entries} entries. */
  private static AuditSearch.Found search(
      long before, int size, Predicate<AuditEntry> wanted, int chunk, int changes, int entries) {
    return AuditSearch.newestFirst(
        before,
        size,
        wanted,
        chunk,
        position ->
            LongStream.iterate(Math.min(position - 1, changes), at -> at > 0, at -> at - 1)
                .limit(chunk)
                .boxed()
                .flatMap(at -> IntStream.range(0, entries).mapToObj(i -> entry(at, "change " + at)))
                .toList());
  }

  private static List<Long> positions(AuditSearch.Found found) {
    return found.entries().stream().map(AuditEntry::position).toList();
  }

  @Test
  void pagesFollowEachOtherToTheEndOfTheTrail() {
    AuditSearch.Found first = search(Long.MAX_VALUE, 3, ALL, 3, 5, 1);
    assertThat(positions(first)).containsExactly(5L, 4L, 3L);
    assertThat(first.next()).isEqualTo(3);
    AuditSearch.Found second = search(3, 3, ALL, 3, 5, 1);
    assertThat(positions(second)).containsExactly(2L, 1L);
    assertThat(second.next()).isNull();
  }

  @Test
  void entriesOfOneChangeStayOnOnePage() {
    AuditSearch.Found first = search(Long.MAX_VALUE, 3, ALL, 3, 4, 2);
    assertThat(positions(first)).containsExactly(4L, 4L, 3L, 3L);
    assertThat(first.next()).isEqualTo(3);
  }

  @Test
  void aWantedEntryIsFoundBehindManyOthers() {
    AuditSearch.Found found =
        search(Long.MAX_VALUE, 3, entry -> entry.position() == 2, 100, 1_000, 1);
    assertThat(positions(found)).containsExactly(2L);
    assertThat(found.next()).isNull();
  }

  @Test
  void aSearchThatFindsNothingContinuesInTheNextRequest() {
    int changes = AuditSearch.MAX_SEARCHED + 10;
    AuditSearch.Found found = search(Long.MAX_VALUE, 3, NONE, AuditSearch.CHUNK, changes, 1);
    assertThat(found.entries()).isEmpty();
    assertThat(found.next()).isEqualTo(11);
    assertThat(search(11, 3, NONE, AuditSearch.CHUNK, changes, 1).next()).isNull();
  }

  @Test
  void textIsFoundInAuthorDecisionEndpointAndRecord() {
    AuditEntry entry = entry(1, "changed alarm rule hot");
    assertThat(List.of("ANN", "Changed", "oven", "lab", "alarm-rule", " hot "))
        .allMatch(text -> AuditSearch.finds(text, entry));
    assertThat(AuditSearch.finds("bob", entry)).isFalse();
  }
}

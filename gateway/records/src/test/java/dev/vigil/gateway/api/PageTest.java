package dev.vigil.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.ErrorResponseException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PageTest {
  private static Page<String> page(int size) {
    return Page.of(Stream.of("a", "b", "c"), size, PageCursor::of);
  }

  @Test
  void aFullPageNamesThePositionAfterItsLastItem() {
    Page<String> page = page(2);
    assertThat(page.items()).containsExactly("a", "b");
    assertThat(page.next()).isNotNull();
    assertThat(PageCursor.read(String.valueOf(page.next()), 1)).containsExactly("b");
  }

  @Test
  void theLastPageNamesNoPosition() {
    assertThat(page(3)).isEqualTo(new Page<>(List.of("a", "b", "c"), null));
    assertThat(page(4).next()).isNull();
  }

  @Test
  void anIfMatchHeaderNamesAVersionOrAny() {
    assertThat(EntityTags.ifMatch(null)).isEmpty();
    assertThat(EntityTags.ifMatch("*")).isEmpty();
    assertThat(EntityTags.ifMatch(EntityTags.of(7))).hasValue(7);
    assertThatThrownBy(() -> EntityTags.ifMatch("W/\"7\""))
        .isInstanceOf(ErrorResponseException.class)
        .hasMessageContaining("If-Match");
  }

  @Test
  void conditionsSayWhichVersionMayBeReplaced() {
    assertThat(EntityTags.condition(7L, null, null)).isEmpty();
    assertThat(EntityTags.condition(7L, "*", null)).hasValue(7);
    assertThat(EntityTags.condition(7L, "\"6\"", null)).hasValue(6);
    assertThat(EntityTags.condition(7L, null, "\"5\", W/\"6\"")).hasValue(7);
    assertThat(EntityTags.condition(null, "\"0\"", null)).hasValue(0);
    assertThat(EntityTags.condition(null, null, "*")).hasValue(0);
    assertThatThrownBy(() -> EntityTags.condition(null, "*", null))
        .isInstanceOf(ErrorResponseException.class)
        .hasMessageContaining("does not exist");
    for (String excluded : List.of("*", "\"7\"", "\"1\", W/\"7\"")) {
      assertThatThrownBy(() -> EntityTags.condition(7L, null, excluded))
          .as(excluded)
          .isInstanceOf(ErrorResponseException.class)
          .hasMessageContaining("If-None-Match");
    }
    // An object with default contents has the version 0, and exists.
    assertThat(EntityTags.condition(0L, "*", null)).hasValue(0);
    assertThatThrownBy(() -> EntityTags.condition(0L, null, "*"))
        .isInstanceOf(ErrorResponseException.class);
  }

  @Test
  void onlyTheJudgedVersionIsReplaced() {
    assertThat(EntityTags.judged(7L, null, null)).hasValue(7);
    assertThat(EntityTags.judged(7L, "*", null)).hasValue(7);
    assertThat(EntityTags.judged(7L, "\"7\"", null)).hasValue(7);
    assertThat(EntityTags.judged(null, null, null)).hasValue(0);
    for (String other : List.of("\"6\"", "\"0\"", "x")) {
      assertThatThrownBy(() -> EntityTags.judged(7L, other, null))
          .as(other)
          .isInstanceOf(ErrorResponseException.class);
    }
    assertThatThrownBy(() -> EntityTags.judged(7L, "\"6\"", null))
        .hasMessageContaining("read it again");
    assertThatThrownBy(() -> EntityTags.judged(null, "\"7\"", null))
        .isInstanceOf(ErrorResponseException.class)
        .hasMessageContaining("does not exist");
  }
}

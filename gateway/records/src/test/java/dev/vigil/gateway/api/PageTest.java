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
}

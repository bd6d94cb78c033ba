package dev.vigil.coap.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RouteTest {
  private static final Query FILTER = new Query(List.of(new Query.Parameter("page", "1")));

  private static Route route(String path) {
    return Route.of(
        path,
        request ->
            CompletableFuture.completedFuture(
                Response.content(ContentFormat.TEXT, path + " answers")));
  }

  @Test
  void allowsTheFastPathForAGetWithoutQueryAndForChanges() {
    Route fast = route("/things").withFastPath();

    assertThat(fast.allowsFastPath(Method.GET, Query.EMPTY)).isTrue();
    assertThat(fast.allowsFastPath(Method.GET, FILTER)).isFalse();
    assertThat(fast.allowsFastPath(Method.POST, FILTER)).isTrue();
    assertThat(route("/things").allowsFastPath(Method.GET, Query.EMPTY)).isFalse();
    assertThat(route("/things").allowsFastPath(Method.PUT, Query.EMPTY)).isFalse();
  }

  @Test
  void serialisesChangesByTheirKeySegment() {
    Route things = route("/things/*").withKeySegment(1);

    assertThat(things.serialKey(Method.PUT, List.of("things", "7", "a"))).isEqualTo("7");
    assertThat(things.serialKey(Method.DELETE, List.of("things", "7"))).isEqualTo("7");
    assertThat(things.serialKey(Method.GET, List.of("things", "7"))).isNull();
    assertThat(things.serialKey(Method.POST, List.of("things"))).isNull();
    assertThat(route("/things/*").serialKey(Method.PUT, List.of("things", "7"))).isNull();
  }

  @Test
  void keepsItsOtherPropertiesWhenOneIsSet() {
    Route all = route("/things/*").withMulticast().withKeySegment(1).withFastPath();

    assertThat(all.path()).isEqualTo("/things/*");
    assertThat(all.multicast()).isTrue();
    assertThat(all.keySegment()).isEqualTo(1);
    assertThat(all.fastPath()).isTrue();
    assertThat(route("/things").multicast()).isFalse();
  }

  @Test
  void rejectsAPathWithoutLeadingSlash() {
    assertThatThrownBy(() -> route("things")).isInstanceOf(IllegalArgumentException.class);
  }
}

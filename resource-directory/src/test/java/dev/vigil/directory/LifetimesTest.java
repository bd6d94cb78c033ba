package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.state.Fact;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long registrations last. */
class LifetimesTest {
  private final Desk desk = new Desk();

  @Test
  void whatOutlivedItsLifetimeIsGoneFromLookupsAtOnceAndCanBeRenewed() {
    String id = desk.register("ep=a&lt=60", "</a>;rt=t");
    desk.pass(Duration.ofMillis(59_999));
    assertThat(desk.lookUp("/rd-lookup/res?rt=t")).isNotEmpty();
    desk.pass(Duration.ofMillis(1));
    assertThat(desk.lookUp("/rd-lookup/res?rt=t")).isEmpty();
    assertThat(desk.lookUp("/rd-lookup/ep")).isEmpty();
    assertThat(desk.ask("GET /rd/" + id).code()).isEqualTo(Code.NOT_FOUND);
    desk.directory.pass();
    assertThat(desk.directory.size()).isZero();
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
    assertThat(desk.lookUp("/rd-lookup/res?rt=t")).isNotEmpty();
    desk.pass(Duration.ofSeconds(60));
    desk.directory.pass();
    assertThat(desk.directory.size()).isZero();
  }

  @Test
  void theStoreForgetsWhatNobodyRenews() {
    String id = desk.register("ep=a&lt=60", "</a>");
    desk.pass(Duration.ofSeconds(60).plus(DirectoryConfig.standard().grace()));
    desk.directory.pass();
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.NOT_FOUND);
    desk.open(DirectoryConfig.standard());
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.NOT_FOUND);
  }

  @Test
  void whatElseIsSaidOfAnEndpointNeitherHindersItsChangesNorItsEnd() {
    String id = desk.register("ep=a&lt=60", "</a>");
    desk.submit("a", new Fact("note", 1, new byte[] {1}));
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
    desk.submit("a", new Fact("note", 1, new byte[] {1}));
    desk.pass(Duration.ofSeconds(60).plus(DirectoryConfig.standard().grace()));
    desk.directory.pass();
    desk.open(DirectoryConfig.standard());
    assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.NOT_FOUND);
  }

  @Test
  void manyRenewalsAndAShorterLifetimeEndWhenTheLastOneSays() {
    String id = desk.register("ep=a&lt=1000", "</a>");
    for (int i = 0; i < 50; i++) {
      desk.pass(Duration.ofSeconds(100));
      desk.directory.pass();
      assertThat(desk.ask("POST /rd/" + id).code()).isEqualTo(Code.CHANGED);
    }
    assertThat(desk.ask("POST /rd/" + id + "?lt=5").code()).isEqualTo(Code.CHANGED);
    desk.pass(Duration.ofSeconds(5));
    int[] told = new int[1];
    desk.topics.watch(ObservedLookups.ALL, () -> told[0]++);
    desk.directory.pass();
    assertThat(told[0]).isEqualTo(1);
    assertThat(desk.directory.size()).isZero();
  }

  @Test
  void afterARestartTheRemainingLifetimeCounts() {
    String id = desk.register("ep=a&d=s&lt=60&et=x", "</a>;rt=t");
    desk.register("ep=b&lt=600", "</b>");
    desk.pass(Duration.ofSeconds(50));
    String before = desk.lookUp("/rd-lookup/res");
    desk.open(DirectoryConfig.standard());
    assertThat(desk.lookUp("/rd-lookup/res")).isEqualTo(before);
    assertThat(desk.lookUp("/rd-lookup/ep?et=x")).startsWith("</rd/" + id + ">;ep=a;d=s;");
    desk.pass(Duration.ofSeconds(10));
    assertThat(desk.lookUp("/rd-lookup/ep")).contains("ep=b").doesNotContain("ep=a");
  }
}

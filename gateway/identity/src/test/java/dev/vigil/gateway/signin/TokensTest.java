package dev.vigil.gateway.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.accounts.Site;
import dev.vigil.gateway.problems.ProblemException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokensTest {
  private static final int PLACES = 64;

  private final SignInSite site = new SignInSite();

  private Tokens.Made make(String name, Duration validity) {
    return site.tokens.make(
        "ann",
        null,
        name,
        Grants.of(List.of("viewer")),
        site.clock.instant().plus(validity),
        Site.BY_TEST);
  }

  private List<String> names() {
    return site.tokens.list("ann"::equals).stream().map(token -> token.value().name()).toList();
  }

  @Test
  void theTokenThatExpiredFirstGivesWayToANewOne() {
    make("valid", Duration.ofDays(9));
    make("second", Duration.ofDays(2));
    make("first", Duration.ofDays(1));
    for (int i = 3; i < PLACES; i++) {
      make("valid-" + i, Duration.ofDays(9));
    }
    assertThatThrownBy(() -> make("new", Duration.ofDays(9)))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("the account already has 64 valid tokens: revoke one first");
    assertThat(names()).hasSize(PLACES);

    site.clock.pass(Duration.ofDays(3));
    make("new", Duration.ofDays(9));
    assertThat(names()).hasSize(PLACES).contains("new", "second", "valid").doesNotContain("first");
  }
}

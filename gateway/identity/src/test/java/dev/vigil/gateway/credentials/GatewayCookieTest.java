package dev.vigil.gateway.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GatewayCookieTest {
  private static final String OWN = "a".repeat(43);
  private static final String OTHER = "b".repeat(43);

  @Test
  void readsItsCookieAmongOthers() {
    assertThat(value("a=1; vigil-session=" + OWN)).isEqualTo(OWN);
    assertThat(value("__Host-vigil-session=" + OWN + "; z=2")).isEqualTo(OWN);
    assertThat(value("vigil-session=" + OWN + "x")).isNull();
    assertThat(value("other-vigil-session=" + OWN)).isNull();
    assertThat(value(null)).isNull();
  }

  @Test
  void prefersTheCookieThatOnlyThisHostCanSet() {
    assertThat(value("vigil-session=" + OTHER + "; __Host-vigil-session=" + OWN)).isEqualTo(OWN);
  }

  private static @Nullable String value(@Nullable String header) {
    return GatewayCookie.SESSION.value(header);
  }
}

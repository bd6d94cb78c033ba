package dev.vigil.gateway.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

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

  @Test
  void overHttpsOnlyTheCookieThatOnlyThisHostCanSetCounts() {
    MockHttpServletRequest direct = request();
    direct.setSecure(true);
    MockHttpServletRequest change = request();
    change.addHeader("Origin", "https://gateway.example");
    MockHttpServletRequest read = request();
    read.addHeader("X-Forwarded-Proto", "https");
    for (MockHttpServletRequest secure : List.of(direct, change, read)) {
      secure.addHeader("Cookie", "vigil-session=" + OTHER);
      assertThat(GatewayCookie.SESSION.of(secure)).isNull();
      assertThat(Credentials.of(secure).isEmpty()).isTrue();
      secure.removeHeader("Cookie");
      secure.addHeader("Cookie", "vigil-session=" + OTHER + "; __Host-vigil-session=" + OWN);
      assertThat(GatewayCookie.SESSION.of(secure)).isEqualTo(OWN);
      assertThat(Credentials.of(secure).session()).isEqualTo(OWN);
    }
  }

  @Test
  void overPlainHttpBothCookiesCount() {
    for (String proto : List.of("", "http")) {
      for (String name : List.of("vigil-session", "__Host-vigil-session")) {
        MockHttpServletRequest plain = request();
        plain.addHeader("Origin", "http://localhost:8080");
        plain.addHeader("X-Forwarded-Proto", proto);
        plain.addHeader("Cookie", name + "=" + OWN);
        assertThat(GatewayCookie.SESSION.of(plain)).isEqualTo(OWN);
        assertThat(GatewayCookie.SESSION.isPrefixed(plain)).isEqualTo(name.startsWith("__"));
      }
    }
  }

  @Test
  void theCookieThatIsSetIsTheOneThatIsRead() {
    MockHttpServletRequest proxied = request();
    proxied.addHeader("X-Forwarded-Proto", "https");
    for (MockHttpServletRequest request : List.of(request(), proxied)) {
      String cookie = GatewayCookie.SESSION.set(request, OWN).split(";", 2)[0];
      request.addHeader("Cookie", cookie);
      assertThat(GatewayCookie.SESSION.of(request)).isEqualTo(OWN);
    }
  }

  private static MockHttpServletRequest request() {
    return new MockHttpServletRequest();
  }

  private static @Nullable String value(@Nullable String header) {
    return GatewayCookie.SESSION.value(header, false);
  }
}

package dev.vigil.gateway.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class RelyingPartyTest {
  private static MockHttpServletRequest request(String host) {
    MockHttpServletRequest request = new MockHttpServletRequest();
    request.addHeader("Host", host);
    return request;
  }

  private static MockHttpServletRequest request(String host, String origin) {
    MockHttpServletRequest request = request(host);
    request.addHeader("Origin", origin);
    return request;
  }

  @Test
  void passkeysBelongToTheHostName() {
    RelyingParty party = RelyingParty.require(request("Gateway.Example:8443"));
    assertThat(party.id()).isEqualTo("gateway.example");
    assertThat(party.origins()).containsExactly("https://gateway.example:8443");
  }

  @Test
  void onlyLocalhostMayUsePlainHttp() {
    assertThat(RelyingParty.require(request("localhost:8080")).origins())
        .containsExactlyInAnyOrder("https://localhost:8080", "http://localhost:8080");
    assertThat(RelyingParty.require(request("notlocalhost:8080")).origins()).hasSize(1);
  }

  @Test
  void addressesHaveNoRelyingParty() {
    for (String host : new String[] {"127.0.0.1:8080", "192.0.2.1", "[::1]:8080"}) {
      assertThat(RelyingParty.of(request(host))).as(host).isEmpty();
      assertThatThrownBy(() -> RelyingParty.require(request(host)))
          .hasMessageContaining("host name");
    }
    assertThat(RelyingParty.of(new MockHttpServletRequest())).isEmpty();
  }

  @Test
  void pagesOverPlainHttpAndOfOtherHostsAreRefused() {
    assertThat(RelyingParty.require(request("gateway.example", "https://gateway.example")).id())
        .isEqualTo("gateway.example");
    for (String origin : new String[] {"http://gateway.example", "https://evil.example", "null"}) {
      assertThatThrownBy(() -> RelyingParty.require(request("gateway.example", origin)))
          .as(origin)
          .hasMessageContaining("HTTPS");
    }
  }
}

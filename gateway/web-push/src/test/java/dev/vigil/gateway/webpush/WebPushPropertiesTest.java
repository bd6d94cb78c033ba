package dev.vigil.gateway.webpush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.gateway.northbound.AlarmSeverity;
import dev.vigil.gateway.settings.InvalidSettingException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebPushPropertiesTest {
  private static final WebPushProperties SETTINGS =
      settings("mailto:ops@example.org", "fcm.example", "*.push.example", "other.example:8443");

  private static WebPushProperties settings(String contact, String... services) {
    return new WebPushProperties(contact, List.of(services), "", AlarmSeverity.WARNING);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://fcm.example/fcm/send/abc:def",
        "https://FCM.example:443/x",
        "https://a.b.push.example/x?y=z",
        "https://other.example:8443/"
      })
  void listedServicesAreRequested(String address) {
    assertThat(SETTINGS.permits(URI.create(address))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://fcm.example/x",
        "https://fcm.example:8443/x",
        "https://fcm.example.evil.test/x",
        "https://evilfcm.example/x",
        "https://push.example/x",
        "https://.push.example/x",
        "https://fcm.example@evil.test/x",
        "https://user@fcm.example/x",
        "https://fcm.example/x#y",
        "https://other.example/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://localhost/x",
        "https:fcm.example",
        "file:///etc/passwd"
      })
  void everyOtherAddressOfABrowserIsRefused(String address) {
    assertThat(SETTINGS.permits(URI.create(address))).isFalse();
  }

  @Test
  void anAddressIsBounded() {
    assertThat(SETTINGS.permits(URI.create("https://fcm.example/" + "x".repeat(1024)))).isFalse();
  }

  @Test
  void contactsAndServicesAreChecked() {
    assertThat(settings("", "fcm.example").isOn()).isFalse();
    for (String contact : new String[] {"ops@example.org", "mailto:a b@c", "http://example.org"}) {
      assertThatThrownBy(() -> settings(contact))
          .isInstanceOf(InvalidSettingException.class)
          .hasMessageContaining("web-push.contact");
    }
    for (String service : new String[] {"https://fcm.example", "fcm.example/x", "*", "FCM"}) {
      assertThatThrownBy(() -> settings("", service))
          .isInstanceOf(InvalidSettingException.class)
          .hasMessageContaining("web-push.services");
    }
  }
}

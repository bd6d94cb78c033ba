package dev.vigil.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.vigil.gateway.wiring.VigilProperties;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class StartupErrorsTest {
  private static String sentence(Map<String, String> settings) {
    Binder binder = new Binder(new MapConfigurationPropertySource(settings));
    Throwable thrown = catchThrowable(() -> binder.bind("vigil", VigilProperties.class));
    return StartupErrors.of(thrown, null);
  }

  @Test
  void theInvalidValueIsShown() {
    assertThat(sentence(Map.of("vigil.http.port", "many"))).contains("http.port", "\"many\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "vigil.coap.dtls.psk",
        "vigil.coap.dtls.psk.node-7",
        "vigil.border.link-security.key"
      })
  void aValueThatMayBeASecretIsNotShown(String name) {
    String said = sentence(Map.of(name, "s3cr3t"));
    assertThat(said).contains(name.substring("vigil.".length())).doesNotContain("s3cr3t");
  }
}

package dev.vigil.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.vigil.gateway.cli.SettingsFile;
import dev.vigil.gateway.wiring.VigilProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.io.FileSystemResource;

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

  @EnableConfigurationProperties(VigilProperties.class)
  private static final class Settings {}

  private static String sentence(Path folder, String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("mine.yaml"), yaml);
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      new YamlPropertySourceLoader()
          .load("mine", new FileSystemResource(file))
          .forEach(context.getEnvironment().getPropertySources()::addFirst);
      context.register(Settings.class);
      Throwable thrown = catchThrowable(context::refresh);
      return StartupErrors.of(thrown, context.getEnvironment());
    }
  }

  @Test
  void anInvalidValueIsNamedWithItsLineAndTheValuesItTakes(@TempDir Path folder)
      throws IOException {
    assertThat(sentence(folder, "vigil:\n  domains:\n    plant:\n      trust: everyone\n"))
        .isEqualTo(
            "vigil.domains.plant.trust cannot be \"everyone\" (mine.yaml, line 4): it takes"
                + " first-use, approve, listed");
  }

  @Test
  void anUnknownSettingIsNamedWithItsLine(@TempDir Path folder) throws IOException {
    assertThat(sentence(folder, "vigil:\n  trust: approve\n  anonymous-raed: true\n"))
        .startsWith("vigil.anonymous-raed (mine.yaml, line 3)")
        .endsWith(SettingsFile.NO_SETTING);
  }
}

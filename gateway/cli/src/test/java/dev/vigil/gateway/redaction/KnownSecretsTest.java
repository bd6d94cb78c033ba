package dev.vigil.gateway.redaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownSecretsTest {
  private static final Settings SHOWN = new Settings(Root.class);

  @TempDir Path folder = Path.of("");

  record Root(Northbound northbound, Automations automations) {}

  record Northbound(Map<String, Webhook> webhook) {}

  record Webhook(Map<String, String> headers, Map<String, String> headerFiles) {}

  record Automations(String commanderKey) {}

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @Test
  void filesAreReadUnderAnyFormOfTheirSetting() throws IOException {
    Map<String, String> settings =
        Map.of(
            "vigil.northbound.webhook.ops.headers.X-Gotify-Key",
            "secret-of-a-header",
            "vigil.northbound.webhook.ops.header-files.Authorization",
            file("one", "Bearer secret-one\n"),
            "vigil.northbound.webhook[a b].headerFiles[X-Auth-Token]",
            file("two", "secret-two\n"),
            "vigil.automations.commander_key",
            file("three", "secret-three\n"));
    assertThat(KnownSecrets.of(SHOWN, folder, List.of(settings), Map.of()))
        .containsExactlyInAnyOrder(
            "secret-of-a-header", "Bearer secret-one", "secret-one", "secret-two", "secret-three");
  }

  @Test
  void variablesOfHeadersAndOfTheCommandersKeyAreSecret() throws IOException {
    Map<String, String> environment =
        Map.of(
            "VIGIL_NORTHBOUND_WEBHOOK_OPS_HEADERS_XGOTIFY",
            "secret-of-a-header",
            "VIGIL_NORTHBOUND_WEBHOOK_OPS_HEADERFILES_AUTHORIZATION",
            file("one", "secret-one\n"),
            "VIGIL_AUTOMATIONS_COMMANDERKEY",
            file("two", "secret-two\n"),
            "VIGIL_TRUST",
            "first-use");
    assertThat(KnownSecrets.of(SHOWN, folder, List.of(), environment))
        .containsExactlyInAnyOrder("secret-of-a-header", "secret-one", "secret-two");
  }
}

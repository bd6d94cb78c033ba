package dev.vigil.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.wiring.VigilProperties;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvironmentVariablesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "VIGIL_HTTP_PORT",
        "VIGIL_DATA_DIR",
        "VIGIL_DATADIR",
        "VIGIL_COAP_SECURE_PORT",
        "VIGIL_COAP_DTLS_PSK_NODE7",
        "VIGIL_BORDER_LINK_SECURITY_KEY",
        "VIGIL_BORDER_RADIOS_0_PORT",
        "VIGIL_DOMAINS_PLANT_LIMITS_RESOURCES",
        "VIGIL_JAR",
        "VIGIL_TEST_ALL",
        "VIGIL",
        "vigil.http.port",
        "LOGGING_LEVEL_ROOT",
        "PATH"
      })
  void settingsAndVariablesOfTheLauncherPass(String name) {
    assertThat(EnvironmentVariables.problem(Map.of(name, "7"), VigilProperties.class)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "VIGIL_HTTP_PROT",
        "VIGIL_ANONYMOUS",
        "VIGIL_DOMAINS_PLANT_TRUTS",
        "VIGIL_BORDER_RADIOS_0_PROT",
        "SPRING_PROFILES_ACTIVE",
        "SPRING_APPLICATION_JSON",
        "SERVER_PORT",
        "MANAGEMENT_ENDPOINTS_WEB_EXPOSURE_INCLUDE",
        "server.port"
      })
  void othersAreNamedWithoutTheirValues(String name) {
    assertThat(
            EnvironmentVariables.problem(
                Map.of(name, "hidden", "VIGIL_HTTP_PORT", "0"), VigilProperties.class))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .startsWith(name + " (environment) is not a setting")
                    .contains("unset it")
                    .doesNotContain("hidden", "VIGIL_HTTP_PORT"));
  }

  @Test
  void anInvalidValueDoesNotMakeItsVariableOrOthersUnknown() {
    assertThat(
            EnvironmentVariables.problem(
                Map.of("VIGIL_COAP_PORT", "many", "VIGIL_DATA_DIR", " ", "VIGIL_TRUST", "all"),
                VigilProperties.class))
        .isEmpty();
  }
}

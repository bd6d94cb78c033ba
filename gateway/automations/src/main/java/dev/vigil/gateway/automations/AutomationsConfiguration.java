package dev.vigil.gateway.automations;

import dev.vigil.gateway.automations.actions.AutomationProperties;
import dev.vigil.gateway.automations.actions.Pause;
import dev.vigil.gateway.automations.actions.SigningKey;
import dev.vigil.gateway.commanders.CommanderKey;
import java.io.IOException;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class AutomationsConfiguration {
  private static final String PROPERTY = "automations.commander-key";

  /**
   * @throws IOException with a message that begins with "cannot" and names the setting
   */
  @Bean
  SigningKey automationsSigningKey(AutomationProperties settings) throws IOException {
    String file = settings.commanderKey();
    return new SigningKey(
        file.isEmpty() ? Optional.empty() : Optional.of(CommanderKey.ofSetting(PROPERTY, file)));
  }

  @Bean
  Pause automationsPause() {
    return Thread::sleep;
  }
}

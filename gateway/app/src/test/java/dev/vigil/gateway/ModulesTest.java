package dev.vigil.gateway;

import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModules;

class ModulesTest {
  @Test
  void packagesUseOnlyPublicTypesOfOthersWithoutCycles() {
    ApplicationModules.of(GatewayApplication.class).verify();
  }
}

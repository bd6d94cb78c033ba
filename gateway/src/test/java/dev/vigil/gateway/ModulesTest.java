package dev.vigil.gateway;

import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModules;

class ModulesTest {
  @Test
  void featuresUseEachOtherOnlyByTheirPublicTypesAndWithoutCycles() {
    ApplicationModules.of(Main.class).verify();
  }
}

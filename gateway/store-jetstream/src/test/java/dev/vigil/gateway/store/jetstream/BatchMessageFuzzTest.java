package dev.vigil.gateway.store.jetstream;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The fuzzer takes longer to start than all mutations of {@link BatchMessageTest}. */
@EnabledIfEnvironmentVariable(
    named = "VIGIL_TEST_ALL",
    matches = "1",
    disabledReason = "only with ./vigil test --all")
class BatchMessageFuzzTest {
  @FuzzTest(maxDuration = "10s")
  void message(byte[] octets) {
    BatchMessageTest.message(octets);
  }
}

package dev.vigil.directory.coap;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * In the everyday run over the corpus that is kept with the tests; with {@code JAZZER_FUZZ=1}, as
 * {@code ./vigil test --all} does, for ten seconds.
 */
class BriefFuzzTest {
  @FuzzTest(maxDuration = "10s")
  void whateverIsTakenCaliforniumReadsTheSame(byte[] octets) {
    BriefTest.assertAgreement(octets);
  }
}

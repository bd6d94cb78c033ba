package dev.vigil.coap.fastpath;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Runs on the corpus in the test resources; with {@code JAZZER_FUZZ=1}, which {@code ./vigil test
 * --all} sets, it also fuzzes for ten seconds.
 */
class SimpleRequestCodecFuzzTest {
  @FuzzTest(maxDuration = "10s")
  void decodesLikeCalifornium(byte[] octets) {
    SimpleRequestCodecTest.assertDecodesLikeCalifornium(octets);
  }
}

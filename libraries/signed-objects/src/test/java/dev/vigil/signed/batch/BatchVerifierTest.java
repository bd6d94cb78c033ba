package dev.vigil.signed.batch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.signed.batch.BatchVerifier.Check;
import dev.vigil.signed.jose.Jws;
import dev.vigil.signed.jose.SignatureAlgorithm;
import dev.vigil.signed.jose.SignatureVerifier;
import dev.vigil.signed.jose.TestSigner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchVerifierTest {
  private static final SignatureVerifier PROVIDER =
      new SignatureVerifier(SignatureVerifier.Choice.AUTO);
  private static final int ALL_VALID = 0xff;

  private final TestSigner signer = new TestSigner();
  private final AtomicInteger disagreements = new AtomicInteger();

  private static Check check(TestSigner signer, TestSigner claimed, int number) {
    String header = signer.header("application/senml+json", "temp", number, -1);
    return new Check(claimed.jwk(), Jws.parse(signer.jws(header, "[]".getBytes(UTF_8))));
  }

  private Check valid(int number) {
    return check(signer, signer, number);
  }

  private Check invalid(int number) {
    return check(signer, new TestSigner(), number);
  }

  private BatchVerifier with(ToIntFunction<byte[]> library) {
    return new BatchVerifier(PROVIDER, library, "", disagreements::incrementAndGet);
  }

  private BatchVerifier real() {
    BatchVerifier verifier = BatchVerifier.open(PROVIDER, disagreements::incrementAndGet);
    Assumptions.assumeTrue(
        verifier.batches(signer.jwk()), "no batch verifier here: " + verifier.description());
    return verifier;
  }

  @Test
  void judgesEachSignatureOfABatchAsTheProviderDoes() {
    BatchVerifier verifier = real();
    for (int bad = 0; bad < BatchVerifier.MAX; bad++) {
      List<Check> checks = new ArrayList<>(IntStream.range(0, 8).mapToObj(this::valid).toList());
      checks.set(bad, invalid(bad));
      boolean[] expected = new boolean[BatchVerifier.MAX];
      for (int i = 0; i < expected.length; i++) {
        expected[i] = i != bad;
      }
      assertThat(verifier.verify(checks)).isEqualTo(expected);
    }
    assertThat(verifier.batched()).isEqualTo(64);
    assertThat(disagreements).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 8})
  void usesTheLibraryForThreeOrMore(int count) {
    BatchVerifier verifier = with(lanes -> ALL_VALID);
    List<Check> checks = IntStream.range(0, count).mapToObj(this::valid).toList();
    assertThat(verifier.verify(checks)).hasSize(count).doesNotContain(false);
    assertThat(verifier.batched()).isEqualTo(count < 3 ? 0 : count);
  }

  @Test
  void leavesOtherAlgorithmsToTheProvider() {
    BatchVerifier verifier = with(lanes -> ALL_VALID);
    TestSigner other = new TestSigner(SignatureAlgorithm.EDDSA);
    assertThat(verifier.batches(other.jwk())).isFalse();
    List<Check> mixed = List.of(valid(1), valid(2), check(other, other, 3), valid(4));
    assertThat(verifier.verify(mixed)).containsExactly(true, true, true, true);
    assertThat(verifier.batched()).isZero();
  }

  @Test
  void theProviderDecidesAboutARejectionAndEndsBatches() {
    BatchVerifier verifier = with(lanes -> ALL_VALID ^ 2);
    List<Check> checks = List.of(valid(1), valid(2), valid(3));
    assertThat(verifier.verify(checks)).containsExactly(true, true, true);
    assertThat(verifier.disagreed()).isTrue();
    assertThat(verifier.batches(signer.jwk())).isFalse();
    assertThat(verifier.verify(List.of(valid(4), valid(5), invalid(6))))
        .containsExactly(true, true, false);
    assertThat(verifier.batched()).isEqualTo(3);
    assertThat(disagreements).hasValue(1);
  }

  @Test
  void aSampleOfTheAcceptancesIsRepeatedByTheProvider() {
    BatchVerifier verifier = with(lanes -> ALL_VALID);
    List<Check> checks = List.of(valid(1), invalid(2), valid(3));
    for (int batch = 1; batch < BatchVerifier.SAMPLE; batch++) {
      verifier.verify(checks);
    }
    assertThat(verifier.disagreed()).isFalse();
    assertThat(verifier.verify(checks)).containsExactly(true, false, true);
    assertThat(verifier.disagreed()).isTrue();
    assertThat(disagreements).hasValue(1);
  }

  @Test
  void withoutTheLibraryTheProviderVerifies() {
    BatchVerifier verifier = BatchVerifier.none(PROVIDER);
    assertThat(verifier.batches(signer.jwk())).isFalse();
    assertThat(verifier.verify(List.of(valid(1), invalid(2), valid(3))))
        .containsExactly(true, false, true);
    assertThat(verifier.description()).isEqualTo("one at a time, because it is switched off");
  }
}

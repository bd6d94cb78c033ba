package dev.vigil.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Response;
import dev.vigil.signed.jose.TestSigner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Updates that one worker begins before it verifies their signatures together. */
class VerifiedTogetherTest {
  private static final int MOTES = 8;

  @TempDir Path folder;

  private final List<TestSigner> motes = new ArrayList<>();
  private final List<String> entries = new ArrayList<>();

  @BeforeEach
  void needsTheLibrary() {
    Assumptions.assumeTrue(
        MirrorFixture.TOGETHER.batches(new TestSigner().jwk()),
        "no batch verifier here: " + MirrorFixture.TOGETHER.description());
  }

  private MirrorFixture mirror(TestDomain domain) {
    MirrorFixture mirror = new MirrorFixture(folder, domain.build());
    for (int i = 0; i < MOTES; i++) {
      motes.add(new TestSigner());
      entries.add(mirror.registered(motes.get(i), "mote-" + i, 1));
    }
    return mirror;
  }

  private Map.Entry<String, byte[]> update(int mote, long seq) {
    return Map.entry(
        entries.get(mote) + "/temp", MirrorFixture.update(motes.get(mote), "temp", seq));
  }

  private Map.Entry<String, byte[]> forged(int mote, long seq) {
    byte[] update = MirrorFixture.update(motes.get(mote), "temp", seq);
    update[update.length - 20] = (byte) (update[update.length - 20] == 'A' ? 'B' : 'A');
    return Map.entry(entries.get(mote) + "/temp", update);
  }

  private static List<String> codes(List<Response> answers) {
    return answers.stream().map(answer -> answer.code().dotted()).toList();
  }

  @Test
  void eachUpdateIsJudgedByItsOwnSignature() {
    MirrorFixture mirror = mirror(TestDomain.nameless());
    long before = MirrorFixture.TOGETHER.batched();
    List<Map.Entry<String, byte[]>> updates = new ArrayList<>();
    for (int i = 0; i < MOTES; i++) {
      updates.add(i == 5 ? forged(i, 2) : update(i, 2));
    }
    assertThat(codes(mirror.putTogether(updates)))
        .containsExactly("2.01", "2.01", "2.01", "2.01", "2.01", "4.01", "2.01", "2.01");
    assertThat(MirrorFixture.TOGETHER.batched() - before).isEqualTo(MOTES);
    assertThat(mirror.queries().counts().verifications()).isEqualTo(2 * MOTES);
  }

  @Test
  void updatesOfOneEndpointKeepTheirOrder() {
    MirrorFixture mirror = mirror(TestDomain.nameless());
    List<Map.Entry<String, byte[]>> updates =
        List.of(update(0, 3), update(1, 2), update(0, 4), update(0, 5), update(0, 4));
    mirror.put(entries.getFirst() + "/temp", update(0, 2).getValue());
    assertThat(codes(mirror.putTogether(updates)))
        .containsExactly("2.04", "2.01", "2.04", "2.04", "4.09");
    assertThat(mirror.get(entries.getFirst() + "/temp").payload())
        .isEqualTo(updates.get(3).getValue());
  }

  @Test
  void failuresBeforeAnUpdateInItsBatchCountAgainstItsSource() {
    MirrorFixture mirror = mirror(TestDomain.nameless().failuresPerMinute(2));
    List<Map.Entry<String, byte[]>> updates =
        List.of(update(0, 2), forged(1, 2), forged(2, 2), forged(3, 2), update(4, 2));
    assertThat(codes(mirror.putTogether(updates)))
        .containsExactly("2.01", "4.01", "4.01", "4.29", "4.29");
  }

  @Test
  void updatesBeforeAnUpdateInItsBatchCountAgainstItsSource() {
    MirrorFixture mirror = mirror(TestDomain.nameless().updatesPerMinutePerSource(2));
    List<Map.Entry<String, byte[]>> updates =
        List.of(update(0, 2), update(1, 2), update(2, 2), update(3, 2));
    assertThat(codes(mirror.putTogether(updates))).containsExactly("2.01", "2.01", "4.29", "4.29");
  }
}

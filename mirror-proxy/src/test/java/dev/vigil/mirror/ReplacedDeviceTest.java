package dev.vigil.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.model.CommandView;
import dev.vigil.mirror.read.AuditEntry;
import dev.vigil.signed.jose.TestSigner;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command that waits while another device gets the name of its mote (docs/protocol.md section
 * 8). The other device has no record of the commands that the first one carried out.
 */
class ReplacedDeviceTest {
  private final TestSigner commander = new TestSigner();
  private final TestSigner mote = new TestSigner();
  private final TestSigner other = new TestSigner();

  private final MirrorFixture mirror;
  private final String entry;
  private final String id;

  ReplacedDeviceTest(@TempDir Path folder) {
    mirror =
        new MirrorFixture(
            folder,
            TestDomain.nameless().commandedBy(commander.jwk().json()).holdingRotations().build());
    entry = mirror.registered(mote, "mote-1", 1);
    id = entry.substring(4);
    mirror.put(entry + "/led", MirrorFixture.command(commander, "mote-1", 7, ""));
  }

  private void approve(TestSigner key) {
    mirror.operations().approve(key.jkt(), id, List.of(""), "alice").join();
  }

  private List<CommandView.State> states() {
    return mirror.queries().commands(id).stream().map(CommandView::state).toList();
  }

  private void requireCancelled() {
    assertThat(mirror.queries().endpoint(id).orElseThrow().jkt()).isEqualTo(other.jkt());
    assertThat(states()).containsExactly(CommandView.State.CANCELLED);
    assertThat(mirror.get(entry + "?pending").payload()).isEmpty();
    assertThat(mirror.get(entry + "/led?command=7").code().dotted()).isEqualTo("4.04");
    assertThat(MirrorFixture.line(mirror.get(entry + "?commands"))).isEqualTo("7");
    assertThat(mirror.queries().audit("mote-1", "", 0, 100))
        .extracting(AuditEntry::action)
        .contains("cancelled, because another device has the name: command 7");
  }

  @Test
  void theApprovalOfAnotherKeyCancelsIt() {
    mirror.register(other, "mote-1", 10, "");
    assertThat(states()).as("an operator decides").containsExactly(CommandView.State.QUEUED);
    approve(other);
    requireCancelled();
    mirror.restart();
    assertThat(states()).containsExactly(CommandView.State.CANCELLED);
  }

  @Test
  void theRegistrationOfAKeyApprovedAheadCancelsIt() {
    approve(other);
    assertThat(states()).containsExactly(CommandView.State.QUEUED);
    mirror.register(other, "mote-1", 10, "");
    requireCancelled();
  }

  @Test
  void theFirstKeyAfterARevocationDoesNotGetIt() {
    mirror.operations().revoke(mote.jkt(), "alice").join();
    mirror.register(other, "mote-1", 10, "");
    approve(other);
    requireCancelled();
  }

  /** Sends a message whose batch is stored after the approval of the other device. */
  private String overtakenByAnApproval(String resource, byte[] message) {
    mirror.register(other, "mote-1", 10, "");
    mirror.store.hold();
    CompletableFuture<Void> approval =
        mirror.operations().approve(other.jkt(), id, List.of(""), "alice");
    CompletableFuture<Response> answer = mirror.begin(entry + "/" + resource, message);
    mirror.store.release();
    approval.join();
    return answer.join().code().dotted();
  }

  @Test
  void aCommandThatAnApprovalOvertakesIsRefused() {
    byte[] command = MirrorFixture.command(commander, "mote-1", 8, "");
    assertThat(overtakenByAnApproval("led", command)).isEqualTo("4.03");
    requireCancelled();
  }

  @Test
  void anUpdateThatAnApprovalOvertakesIsRefused() {
    byte[] update = MirrorFixture.update(mote, "temp", 4000);
    assertThat(overtakenByAnApproval("temp", update)).isEqualTo("4.03");
    assertThat(mirror.queries().endpoint(id).orElseThrow().high()).isEqualTo(10);
    requireCancelled();
  }

  @Test
  void aRotationThatAnOperatorApprovesKeepsIt() {
    byte[] rotation = MirrorFixture.rotation(mote, other, "mote-1", 3, "");
    assertThat(mirror.ask(Method.POST, "/ms", ContentFormat.JOSE, rotation).code().dotted())
        .isEqualTo("4.03");
    approve(other);
    assertThat(mirror.queries().endpoint(id).orElseThrow().jkt()).isEqualTo(other.jkt());
    assertThat(states()).containsExactly(CommandView.State.QUEUED);
  }
}

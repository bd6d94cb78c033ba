package dev.vigil.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.ErrorResponseException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorTokenTest {
  private static final InetAddress SOURCE = InetAddress.ofLiteral("192.0.2.1");

  @TempDir Path folder = Path.of("");

  private Instant now = Instant.EPOCH;
  private final Clock clock =
      new Clock() {
        @Override
        public Instant instant() {
          return now;
        }

        @Override
        public java.time.ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
          return this;
        }
      };

  private OperatorToken load() throws IOException {
    return OperatorToken.load(folder.resolve("operator.token"), new SecureRandom(), clock);
  }

  private static String code(OperatorToken token, String header) {
    try {
      token.identify(header, SOURCE);
      return "accepted";
    } catch (ErrorResponseException e) {
      return e.code().dotted();
    }
  }

  @Test
  void theTokenHas256BitsAndOnlyItsOwnerMayReadIt() throws Exception {
    Path file = load().file();
    String first = Files.readString(file);
    assertThat(first.strip()).matches("[A-Za-z0-9_-]{43}");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    OperatorToken token = load();
    assertThat(Files.readString(file)).isEqualTo(first);
    assertThat(token.identify("bearer " + first.strip(), SOURCE))
        .isInstanceOfSatisfying(
            Caller.Account.class, account -> assertThat(account.roles()).contains("operator"));
    assertThat(token.toString()).doesNotContain(first.strip());
  }

  @Test
  void wrongTokensAreLimitedButTheRightOneIsAlwaysAccepted() throws Exception {
    OperatorToken token = load();
    String right = "Bearer " + Files.readString(token.file()).strip();
    for (int i = 0; i < 10; i++) {
      assertThat(code(token, "Bearer wrong" + i)).isEqualTo("4.01");
    }
    assertThat(code(token, "Basic b3BlcmF0b3I6eA==")).isEqualTo("4.29");
    assertThat(code(token, right)).isEqualTo("accepted");
    now = now.plus(Duration.ofMinutes(1));
    assertThat(code(token, "Bearer wrong")).isEqualTo("4.01");
    assertThat(code(token, right.substring(0, right.length() - 1))).isEqualTo("4.01");
  }

  @Test
  void aClockSetBackDoesNotProlongTheLimit() throws Exception {
    OperatorToken token = load();
    for (int i = 0; i < 11; i++) {
      code(token, "Bearer wrong" + i);
    }
    now = now.minus(Duration.ofHours(1));
    assertThat(code(token, "Bearer wrong")).isEqualTo("4.01");
  }

  @Test
  void aReadableOrTooShortTokenFileIsRefused() throws Exception {
    Path file = load().file();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(this::load).hasMessageContaining("chmod 600");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(file, "x\n");
    assertThatThrownBy(this::load).hasMessageStartingWith("cannot").hasMessageContaining("43");
  }

  @Test
  void aGivenTokenIsReadAndMayBeReadOnly() throws Exception {
    Path secret = folder.resolve("secret");
    Files.writeString(secret, "0123456789abcdef".repeat(4));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("r--------"));
    OperatorToken token = OperatorToken.given(secret, clock);
    assertThat(code(token, "Bearer " + "0123456789abcdef".repeat(4))).isEqualTo("accepted");
    assertThat(code(token, "Bearer " + "0123456789abcdef".repeat(3))).isEqualTo("4.01");
  }

  @Test
  void aGivenTokenIsNeverCreatedNorSharedWithOthers() throws Exception {
    Path secret = folder.resolve("secret");
    assertThatThrownBy(() -> OperatorToken.given(secret, clock))
        .hasMessageContainingAll("cannot read", secret.toString(), "vigil.operator-token-file");
    assertThat(secret).doesNotExist();
    Files.writeString(secret, "0123456789abcdef".repeat(4));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> OperatorToken.given(secret, clock)).hasMessageContaining("chmod 600");
  }
}

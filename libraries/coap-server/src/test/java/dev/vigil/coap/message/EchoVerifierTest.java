package dev.vigil.coap.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Response;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class EchoVerifierTest {
  private static final int REQUEST_OCTETS = 20;

  private final InetSocketAddress source =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000);
  private final EchoVerifier echo =
      new EchoVerifier(
          new SecureRandom(), Clock.fixed(Instant.parse("2026-11-20T12:00:00Z"), ZoneOffset.UTC));
  private final Response large = Response.content(ContentFormat.TEXT, "a".repeat(100));

  /** RFC 9175 section 2.4 and RFC 7959 section 2.2: blocks have 16 to 1024 octets. */
  @Test
  void theLargestBlockHasAtMostThreeTimesTheOctetsOfTheRequest() {
    assertThat(EchoVerifier.largestBlock(6, 5)).isZero();
    assertThat(EchoVerifier.largestBlock(21, 5)).isEqualTo(1);
    assertThat(EchoVerifier.largestBlock(22, 5)).isEqualTo(2);
    assertThat(EchoVerifier.largestBlock(22, 1)).isEqualTo(1);
    assertThat(EchoVerifier.largestBlock(1000, 5)).isEqualTo(5);
  }

  @Test
  void anErrorThatIsTooLargeLosesItsText() {
    Response error = Response.diagnostic(Code.TOO_MANY_REQUESTS, "a".repeat(100)).withMaxAge(7);
    EchoVerifier.LimitedResponse limited =
        echo.limit(Caller.anonymous(source, false), REQUEST_OCTETS, error);
    assertThat(limited.response().code()).isEqualTo(Code.TOO_MANY_REQUESTS);
    assertThat(limited.response().maxAge()).isEqualTo(7);
    assertThat(limited.response().payload()).isEmpty();
    assertThat(echo.challenges()).isZero();
  }

  @Test
  void aBlockThatFitsComesWithAnEcho() {
    EchoVerifier.LimitedResponse block =
        echo.limit(Caller.anonymous(source, false), REQUEST_OCTETS, large, 32);
    assertThat(block.response()).isEqualTo(large);
    assertThat(echo.isValid(Objects.requireNonNull(block.echo(), "offered"), source)).isTrue();
  }

  @Test
  void challengesAndProofsAreCounted() {
    Caller stranger = Caller.anonymous(source, false);
    EchoVerifier.LimitedResponse challenge = echo.limit(stranger, REQUEST_OCTETS, large);
    assertThat(challenge.response().code()).isEqualTo(Code.UNAUTHORIZED);
    byte[] value = Objects.requireNonNull(challenge.echo(), "a challenge has an Echo");
    assertThat(echo.isValid(value, source)).isTrue();
    assertThat(echo.isValid(value, new InetSocketAddress(source.getAddress(), 40_001))).isFalse();
    assertThat(echo.limit(Caller.anonymous(source, true), REQUEST_OCTETS, large).echo()).isNull();
    assertThat(echo.challenges()).isEqualTo(1);
    assertThat(echo.proofs()).isEqualTo(1);
  }
}

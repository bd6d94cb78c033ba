package dev.vigil.gateway.webpush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.signed.jose.LocalKeyPair;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PushContentTest {
  private static final Base64.Encoder BASE64URL = Base64.getUrlEncoder().withoutPadding();

  /** RFC 8291, appendix A. */
  private static final String AUTH = "BTBZMqHH6r4Tts7J_aSIgg";

  private static final String BROWSER =
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
  private static final String SENDER =
      "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
  private static final String SENDER_SECRET = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";
  private static final String SALT = "DGv6ra1nlYgDCS1FRnbzlw";
  private static final String SENT =
      "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS"
          + "6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_"
          + "Qulcy4a-fN";

  private static byte[] octets(String base64url) {
    return Base64.getUrlDecoder().decode(base64url);
  }

  @Test
  void theExampleOfTheRfcIsEncryptedAlike() {
    LocalKeyPair sender = LocalKeyPair.ofScalar(new BigInteger(1, octets(SENDER_SECRET)));
    assertThat(BASE64URL.encodeToString(BrowserKeys.uncompressed(sender.jwk()))).isEqualTo(SENDER);
    byte[] message =
        "When I grow up, I want to be a watermelon".getBytes(StandardCharsets.US_ASCII);
    byte[] sent = PushContent.encrypt(message, BrowserKeys.of(BROWSER, AUTH), sender, octets(SALT));
    assertThat(BASE64URL.encodeToString(sent)).isEqualTo(SENT);
  }

  @Test
  void theLongestMessageFits() {
    LocalKeyPair sender = LocalKeyPair.ofScalar(BigInteger.TWO);
    BrowserKeys browser = BrowserKeys.of(BROWSER, AUTH);
    byte[] longest = new byte[PushContent.MAX_MESSAGE];
    assertThat(PushContent.encrypt(longest, browser, sender, octets(SALT))).hasSize(4096);
    assertThatThrownBy(
            () -> PushContent.encrypt(new byte[longest.length + 1], browser, sender, octets(SALT)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "'', " + AUTH,
    "BCVx, " + AUTH,
    // Not on the curve.
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw8, "
        + AUTH,
    // Compressed.
    "AyVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcx, " + AUTH,
    BROWSER + ", BTBZMqHH6r4Tts7J_aSI",
    BROWSER + ", not base64url"
  })
  void keysThatNoBrowserHasAreRefused(String p256dh, String auth) {
    assertThatThrownBy(() -> BrowserKeys.of(p256dh, auth))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

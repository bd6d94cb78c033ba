package dev.vigil.signed.jose;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.signed.SignedObjectException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of the RFCs. */
class RfcExamplesTest {
  /** RFC 7515 appendix A.3. */
  private static final String ES256_JWS =
      "eyJhbGciOiJFUzI1NiJ9"
          + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
          + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
          + ".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8IS"
          + "lSApmWQxfKTUJqPP3-Kg6NU1Q";

  private static final String ES256_KEY =
      """
      {"kty":"EC",
       "crv":"P-256",
       "x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
       "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
      }""";

  /** RFC 8037 appendix A. */
  private static final String ED25519_KEY =
      """
      {"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}""";

  private static final String ED25519_JWS =
      "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
          + ".hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";

  @ParameterizedTest
  @EnumSource(SignatureVerifier.Choice.class)
  void verifiesTheEs256ExampleOfRfc7515(SignatureVerifier.Choice choice) {
    Jws jws = Jws.parse(ES256_JWS.getBytes(US_ASCII));
    Jwk key = Jwk.parse(ES256_KEY.getBytes(UTF_8));
    assertThat(verifier(choice).verify(key, jws)).isTrue();
    assertThat(new String(jws.payload(), UTF_8)).contains("\"iss\":\"joe\"");
  }

  @ParameterizedTest
  @EnumSource(SignatureVerifier.Choice.class)
  void verifiesTheEd25519ExampleOfRfc8037(SignatureVerifier.Choice choice) {
    Jws jws = Jws.parse(ED25519_JWS.getBytes(US_ASCII));
    Jwk key = Jwk.parse(ED25519_KEY.getBytes(UTF_8));
    assertThat(verifier(choice).verify(key, jws)).isTrue();
    assertThat(jws.payload()).isEqualTo("Example of Ed25519 signing".getBytes(US_ASCII));
  }

  @ParameterizedTest
  @EnumSource(SignatureVerifier.Choice.class)
  void verifiesTheP384ExampleOfRfc6979(SignatureVerifier.Choice choice) {
    // RFC 6979 appendix A.2.6, SHA-384, message "sample".
    HexFormat hex = HexFormat.of();
    Jwk key =
        new Jwk(
            SignatureAlgorithm.ES384,
            hex.parseHex(
                "ec3a4e415b4e19a4568618029f427fa5da9a8bc4ae92e02e06aae5286b300c64"
                    + "def8f0ea9055866064a254515480bc13"
                    + "8015d9b72d7d57244ea8ef9ac0c621896708a59367f9dfb9f54ca84b3f1c9db1"
                    + "288b231c3ae0d4fe7344fd2533264720"));
    byte[] signature =
        hex.parseHex(
            "94edbb92a5ecb8aad4736e56c691916b3f88140666ce9fa73d64c4ea95ad133c"
                + "81a648152e44acf96e36dd1e80fabe46"
                + "99ef4aeb15f178cea1fe40db2603138f130e740a19624526203b6351d0a3a94f"
                + "a329c145786e679e7b82c71a38628ac8");
    byte[] sample = "sample".getBytes(US_ASCII);
    SignatureVerifier verifier = verifier(choice);
    assertThat(verifier.verify(key, sample, sample.length, signature)).isTrue();
    signature[95] ^= 1;
    assertThat(verifier.verify(key, sample, sample.length, signature)).isFalse();
  }

  /** RFC 9052 appendix C.2.1; the key is named "11" in appendix C.7.1. */
  private static final String COSE_SIGN1 =
      "d28443a10126a10442313154546869732069732074686520636f6e74656e742e58408eb33e4ca31d1c465ab05aac34"
          + "cc6b23d58fef5c083106c4d25a91aef0b0117e2af9a291aa32e14ab834dc56ed2a223444547e01f11d3b0916e5"
          + "a4c345cacb36";

  @ParameterizedTest
  @EnumSource(SignatureVerifier.Choice.class)
  void verifiesTheSingleSignerExampleOfRfc9052(SignatureVerifier.Choice choice) {
    HexFormat hex = HexFormat.of();
    Jwk key =
        new Jwk(
            SignatureAlgorithm.ES256,
            hex.parseHex(
                "bac5b11cad8f99f9c72b05cf4b9e26d244dc189f745228255a219a86d6a09eff"
                    + "20138bf82dc1b6d562be0fa54ab7804a3a64b6d72ccfed6b6fb6ed28bbfc117e"));
    CoseSign1 cose = CoseSign1.parse(hex.parseHex(COSE_SIGN1));
    assertThat(verifier(choice).verify(key, cose)).isTrue();
    assertThat(new String(cose.payload(), US_ASCII)).isEqualTo("This is the content.");
    CoseSign1 changed = CoseSign1.parse(hex.parseHex(COSE_SIGN1.replace("746865", "746866")));
    assertThat(verifier(choice).verify(key, changed)).isFalse();
  }

  @Test
  void refusesTheCoseSignExampleOfRfc9052() {
    // Appendix C.1.1: COSE_Sign, tag 98; its array of four is not that of COSE_Sign1 either.
    String untagged =
        "8440a054546869732069732074686520636f6e74656e742e818343a10126a1044231315840e2aeafd40d69d19dfe6e"
            + "52077c5d7ff4e408282cbefb5d06cbf414af2e19d982ac45ac98b8544c908b4507de1e90b717c3d34816fe92"
            + "6a2b98f53afd2fa0f30a";
    for (String example : List.of("d862" + untagged, untagged)) {
      byte[] octets = HexFormat.of().parseHex(example);
      assertThatThrownBy(() -> CoseSign1.parse(octets)).isInstanceOf(SignedObjectException.class);
    }
  }

  @Test
  void computesTheThumbprintOfRfc8037() {
    assertThat(Jwk.parse(ED25519_KEY.getBytes(UTF_8)).thumbprint())
        .isEqualTo("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
  }

  @Test
  void thumbprintsCoverTheRequiredMembersInLexicalOrder() throws Exception {
    // The example of RFC 7638 section 3 is an RSA key, which the profile refuses.
    Jwk key = Jwk.parse(ES256_KEY.getBytes(UTF_8));
    assertThat(key.json())
        .isEqualTo(
            "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
                + "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}");
    assertThat(key.thumbprint())
        .isEqualTo(
            org.jose4j.jwk.JsonWebKey.Factory.newJwk(ES256_KEY)
                .calculateBase64urlEncodedThumbprint("SHA-256"));
  }

  @Test
  void refusesTheRsaKeyOfRfc7638() {
    String rsa = "{\"kty\":\"RSA\",\"n\":\"0vx7agoebGcQSuuPiLJXZpt\",\"e\":\"AQAB\"}";
    assertThatThrownBy(() -> Jwk.parse(rsa.getBytes(UTF_8)))
        .isInstanceOf(SignedObjectException.class)
        .hasMessageContaining("not of P-256");
  }

  @Test
  void refusesTheHmacExampleOfRfc7515() {
    // RFC 7515 appendix A.1.
    String jws =
        "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
            + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
            + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
            + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    assertThatThrownBy(() -> Jws.parse(jws.getBytes(US_ASCII)))
        .isInstanceOf(SignedObjectException.class)
        .hasMessageContaining("alg");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // Appendix A.2 (RS256) and A.4 (ES512).
        "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
            + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu"
            + "3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdi"
            + "uB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--x"
            + "i12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AX"
            + "LIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw",
        "eyJhbGciOiJFUzUxMiJ9.UGF5bG9hZA.AdwMgeerwtHoh-l192l60hp9wAHZFVJbLfD_UxMi70cwnZOYaRI1bKPW"
            + "ROc-mZZqwqT2SI-KGDKB34XO0aw_7XdtAG8GaSwFKdCAPZgoXD2YBJZCPEX3xKpRwcdOO8KpEHwJjyqOgzDO"
            + "7iKvU8vcnwNrmxYbSW9ERBXukOXolLzeO_Jn"
      })
  void refusesTheExamplesOfRfc7515InOtherAlgorithms(String jws) {
    assertThatThrownBy(() -> Jws.parse(jws.getBytes(US_ASCII)))
        .isInstanceOf(SignedObjectException.class)
        .hasMessageContaining("alg");
  }

  @Test
  void refusesTheUnsecuredExampleOfRfc7515() {
    // RFC 7515 appendix A.5.
    String jws =
        "eyJhbGciOiJub25lIn0"
            + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
            + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ.";
    assertThatThrownBy(() -> Jws.parse(jws.getBytes(US_ASCII)))
        .isInstanceOf(SignedObjectException.class);
  }

  @Test
  void refusesTheCriticalHeaderExampleOfRfc7515() {
    // RFC 7515 appendix E.
    String header =
        "{\"alg\":\"ES256\",\r\n \"crit\":[\"http://example.invalid/UNDEFINED\"],\r\n"
            + " \"http://example.invalid/UNDEFINED\":true\r\n}";
    String jws =
        Base64.getUrlEncoder().withoutPadding().encodeToString(header.getBytes(UTF_8))
            + ".RkFJTA."
            + "A".repeat(86);
    assertThatThrownBy(() -> Jws.parse(jws.getBytes(US_ASCII)))
        .isInstanceOf(SignedObjectException.class)
        .hasMessageContaining("crit");
  }

  private static SignatureVerifier verifier(SignatureVerifier.Choice choice) {
    return new SignatureVerifier(choice);
  }
}

package dev.vigil.mirror.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vigil.signed.jose.LocalKeyPair;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyFactory;
import java.security.SecureRandom;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MirrorIdentityTest {
  private static final Path JOSE = Path.of("/usr/bin/jose");
  private static final String THUMBPRINT = "rbOKiWYXmqC-nFlDJWCpE45mDvvSV0lfqRtowuePe0Q";
  private static final String PKCS8 =
      "MEECAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQcEJzAlAgEBBCDLWj6O+ANwOW5IwfoU40MOQqjTiN2SYPLqfrUuiVcsSg==";
  private static final String POINT =
      "\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"mlNI3S_vh_Z5oOpFyNSOgYAyE6FvXJAzBqdQynBORfA\",\"y\":\"ygOjGxqHMtEDj98B9F3nO7-aWqlfFyaP9V4DoD3NZLc\"";
  private static final String PUBLIC = "{" + POINT + "}";
  private static final String SECRET = "y1o-jvgDcDluSMH6FONDDkKo04jdkmDy6n61LolXLEo";
  private static final String PRIVATE = "{" + POINT + ",\"d\":\"" + SECRET + "\"}";

  /** The file as the mirror wrote it before the format was a JWK. */
  private static final String OLD =
      "{\"jkt\":\"%s\",\"jwk\":%s,\"pkcs8\":\"%s\"}".formatted(THUMBPRINT, PUBLIC, PKCS8);

  @TempDir private Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void name() {
    file = folder.resolve("identity.jwk");
  }

  private void write(Path path, String text, String permissions) throws IOException {
    Files.writeString(path, text, StandardCharsets.ISO_8859_1);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  private LocalKeyPair load() {
    return MirrorIdentity.load(file, new SecureRandom());
  }

  private void assertTheKnownKeyInTheStandardForm() throws IOException {
    LocalKeyPair key = load();
    assertThat(key.jwk().thumbprint()).isEqualTo(THUMBPRINT);
    assertThat(Base64.getEncoder().encodeToString(key.encoded()))
        .as("from which the key of the sealed store is derived")
        .isEqualTo(PKCS8);
    assertThat(JwkCodec.members(Files.readString(file)))
        .containsOnlyKeys("kty", "crv", "x", "y", "d")
        .containsEntry("d", SECRET);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void theFirstStartMakesAPrivateJwkThatLaterStartsRead() throws IOException {
    file = folder.resolve("data").resolve("identity.jwk");
    LocalKeyPair made = load();
    assertThat(JwkCodec.members(Files.readString(file)))
        .containsOnlyKeys("kty", "crv", "x", "y", "d")
        .containsEntry("kty", "EC")
        .containsEntry("crv", "P-256");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    LocalKeyPair read = load();
    assertThat(read.jwk()).isEqualTo(made.jwk());
    assertThat(read.encoded()).isEqualTo(made.encoded());
  }

  @Test
  void aPrivateJwkIsReadAsItIs() throws IOException {
    write(file, PRIVATE, "rw-------");
    assertTheKnownKeyInTheStandardForm();
    assertThat(Files.readString(file)).isEqualTo(PRIVATE);
  }

  @Test
  void anOldFileIsConvertedAndKeepsKeyAndRights() throws IOException {
    write(file, OLD, "rw-------");
    assertTheKnownKeyInTheStandardForm();
    assertTheKnownKeyInTheStandardForm();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{\"kty\":\"EC\",\"d\":", PRIVATE})
  void aCrashBeforeTheReplacementLeavesTheOldFileUsable(String written) throws IOException {
    write(file, OLD, "rw-------");
    write(folder.resolve("identity.jwk.new"), written, "rw-------");
    assertTheKnownKeyInTheStandardForm();
  }

  @Test
  void aStartSucceedsIfTheOldFileCannotBeReplaced() throws IOException {
    write(file, OLD, "rw-------");
    Files.createDirectories(folder.resolve("identity.jwk.new").resolve("in the way"));
    assertThat(load().jwk().thumbprint()).isEqualTo(THUMBPRINT);
    assertThat(Files.readString(file)).isEqualTo(OLD);
  }

  @Test
  void anOldFileBehindALinkIsConvertedWhereItLies() throws IOException {
    Path real = Files.createDirectory(folder.resolve("secrets")).resolve("key");
    write(real, OLD, "rw-------");
    Files.createSymbolicLink(file, real);
    assertThat(load().jwk().thumbprint()).isEqualTo(THUMBPRINT);
    assertThat(file).isSymbolicLink();
    assertThat(Files.readString(real)).contains("\"d\"").doesNotContain("pkcs8");
  }

  @Test
  void anOldFileOfAnotherEncodingStaysForTheSealedStore() throws Exception {
    PrivateKeyInfo info = PrivateKeyInfo.getInstance(Base64.getDecoder().decode(PKCS8));
    ECPrivateKey bare = ECPrivateKey.getInstance(info.parsePrivateKey());
    byte[] point = new byte[65];
    point[0] = 4;
    System.arraycopy(JwkCodec.read(PUBLIC).point(), 0, point, 1, 64);
    byte[] longer =
        new PrivateKeyInfo(
                info.getPrivateKeyAlgorithm(),
                new ECPrivateKey(256, bare.getKey(), new DERBitString(point), null))
            .getEncoded();
    byte[] asRead =
        KeyFactory.getInstance("EC", "SunEC")
            .generatePrivate(new PKCS8EncodedKeySpec(longer))
            .getEncoded();
    write(file, OLD.replace(PKCS8, Base64.getEncoder().encodeToString(longer)), "rw-------");
    assertThat(load().encoded()).isEqualTo(asRead);
    assertThat(load().encoded()).isEqualTo(asRead);
  }

  @Test
  void theJoseToolReadsTheFileAndSeesTheSameThumbprint() throws Exception {
    if (!Files.isExecutable(JOSE)) {
      System.out.println("skipped: " + JOSE + " is missing; apt-get install jose");
    }
    assumeTrue(Files.isExecutable(JOSE), "jose is not installed");
    write(file, OLD, "rw-------");
    load();
    Process process =
        new ProcessBuilder(List.of(JOSE.toString(), "jwk", "thp", "-i", file.toString()))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(said.strip()).isEqualTo(THUMBPRINT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no key",
        "\u00ff\u00fe\u0000",
        "{}",
        "{\"d\" \"" + SECRET + "\"}",
        PUBLIC,
        "{" + POINT + ",\"d\":\"AAAAjvgDcDluSMH6FONDDkKo04jdkmDy6n61LolXLEo\"}",
        "{" + POINT + ",\"d\":\"\"}",
        "{\"pkcs8\":\"" + PKCS8 + "\"}",
        "{\"jwk\":" + PUBLIC + ",\"pkcs8\":\"%%\"}",
        "{\"jwk\":" + PUBLIC + ",\"pkcs8\":\"AAAA\"}",
        "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\",\"d\":\"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A\"}"
      })
  void aFileWithoutAKeyIsReportedWithTheRemedy(String text) throws IOException {
    write(file, text, "rw-------");
    assertThatThrownBy(this::load)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("restore it from a backup")
        .hasStackTraceContaining("identity key")
        .satisfies(
            e ->
                assertThat(String.valueOf(e.getCause()))
                    .doesNotContain(SECRET)
                    .doesNotContain(PKCS8));
    assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).isEqualTo(text);
  }

  @Test
  void aFileThatOthersCanReadIsRefusedWithTheCommandThatFixesIt() throws IOException {
    write(file, OLD, "rw-r-----");
    assertThatThrownBy(this::load)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("chmod 600 " + file);
  }
}

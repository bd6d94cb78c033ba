package dev.vigil.gateway.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PEM files that openssl writes. */
class PemTest {
  private static final String SETTING = "vigil.http.tls";
  private static final Path OPENSSL = Path.of("/usr/bin/openssl");

  @TempDir static Path folder = Path.of("");

  @BeforeAll
  static void make() throws Exception {
    if (!Files.isExecutable(OPENSSL)) {
      System.out.println("skipped: " + OPENSSL + " is missing; apt-get install openssl");
    }
    assumeTrue(Files.isExecutable(OPENSSL), "openssl is not installed");
    openssl("ecparam -name prime256v1 -genkey -noout -out sec1.key");
    openssl("pkey -in sec1.key -out pkcs8.key");
    openssl("pkey -in sec1.key -aes128 -passout pass:secret -out encrypted.key");
    openssl("ecparam -name prime256v1 -genkey -noout -out other.key");
    openssl("genrsa -traditional -out rsa.key 2048");
    openssl("req -x509 -new -key sec1.key -subj /CN=gateway -days 9 -out ec.pem");
    openssl("req -x509 -new -key other.key -subj /CN=other -days 9 -out other.pem");
    openssl("req -x509 -new -key rsa.key -subj /CN=rsa -days 9 -out rsa.pem");
    Files.writeString(
        file("unrelated.pem"),
        Files.readString(file("ec.pem")) + Files.readString(file("other.pem")));
    Files.writeString(file("text.pem"), "no PEM at all");
    Files.writeString(file("cut.pem"), Files.readString(file("ec.pem")).substring(0, 200));
    Files.writeString(file("noise.pem"), Files.readString(file("ec.pem")).replace("M", "*"));
    Files.writeString(file("cut.key"), Files.readString(file("sec1.key")).substring(0, 120));
    Files.writeString(file("noise.key"), Files.readString(file("sec1.key")).replace("M", "*"));
    openssl("ec -in sec1.key -aes128 -passout pass:secret -out encrypted-sec1.key");
    openssl("ecparam -name prime256v1 -genkey -out parameters.key");
    openssl("req -x509 -new -key parameters.key -subj /CN=parameters -days 9 -out parameters.pem");
    openssl("ec -in sec1.key -no_public -out no-public.key");
    Files.writeString(
        file("all.pem"),
        "\u00ef\u00bb\u00bfmy key\r\n"
            + "-----BEGIN DH PARAMETERS-----\r\nMAYCAQcCAQI=\r\n-----END DH PARAMETERS-----\r\n"
            + (Files.readString(file("sec1.key")) + Files.readString(file("ec.pem")))
                .replace("\n", "  \r\n"),
        StandardCharsets.ISO_8859_1);
    for (String key :
        List.of(
            "sec1.key",
            "pkcs8.key",
            "encrypted.key",
            "encrypted-sec1.key",
            "other.key",
            "rsa.key",
            "cut.key",
            "noise.key",
            "parameters.key",
            "no-public.key",
            "all.pem",
            "text.pem")) {
      permit(key, "rw-------");
    }
    Files.copy(file("sec1.key"), file("open.key"));
    permit("open.key", "rw-r--r--");
  }

  private static Path file(String name) {
    return folder.resolve(name);
  }

  private static void permit(String name, String permissions) throws IOException {
    Files.setPosixFilePermissions(file(name), PosixFilePermissions.fromString(permissions));
  }

  private static void openssl(String arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(OPENSSL.toString()));
    command.addAll(List.of(arguments.split(" ")));
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(arguments).isZero();
  }

  private static Pem.Identity read(String certificate, String key) throws IOException {
    return Pem.identity(SETTING, file(certificate).toString(), file(key).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ec.pem sec1.key",
        "ec.pem pkcs8.key",
        "rsa.pem rsa.key",
        "parameters.pem parameters.key",
        "ec.pem no-public.key",
        "all.pem all.pem"
      })
  void readsKeysInEveryFormThatOpensslWrites(String files) throws IOException {
    String[] pair = files.split(" ");
    Pem.Identity identity = read(pair[0], pair[1]);
    assertThat(identity.key().getAlgorithm())
        .isEqualTo(identity.certificate().getPublicKey().getAlgorithm());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ec.pem|other.key|it is not the key of the certificate in",
        "ec.pem|rsa.key|it is not of the type EC, which the certificate requires",
        "ec.pem|encrypted.key|it is encrypted",
        "ec.pem|encrypted-sec1.key|it is encrypted",
        "ec.pem|cut.key|it is not of the type EC, which the certificate requires",
        "ec.pem|noise.key|it is not of the type EC, which the certificate requires",
        "ec.pem|text.pem|cannot find a key in",
        "cut.pem|sec1.key|cannot read the certificates in",
        "noise.pem|sec1.key|cannot read the certificates in",
        "ec.pem|open.key|run: chmod 600",
        "ec.pem|nowhere.key|vigil.http.tls.key names: does the file exist",
        "nowhere.pem|sec1.key|vigil.http.tls.certificate names: does the file exist",
        "text.pem|sec1.key|cannot find a certificate in",
        "unrelated.pem|sec1.key|\"CN=other\" did not issue \"CN=gateway\"",
      })
  void errorsNameTheSettingTheFileAndTheRemedy(String reported) throws IOException {
    String[] parts = reported.split("\\|");
    String secret = Files.readAllLines(file("sec1.key")).get(1);
    assertThatThrownBy(() -> read(parts[0], parts[1]))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("cannot ")
        .hasMessageContaining(parts[2])
        .hasMessageNotContaining(secret);
  }

  @Test
  void requiresACertificateAndItsKeyTogether() {
    assertThatThrownBy(() -> Pem.identity(SETTING, file("ec.pem").toString(), ""))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot use vigil.http.tls.certificate alone: set vigil.http.tls.key too");
  }
}

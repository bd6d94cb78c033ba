package dev.vigil.gateway.cli.diagnostics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.InProcessGateway;
import dev.vigil.gateway.redaction.Settings;
import dev.vigil.gateway.wiring.VigilProperties;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The support bundle, with secrets planted wherever they can be. */
class SupportTest {
  private static final Settings SHOWN = new Settings(VigilProperties.class);

  /** Settings with secrets in values, in comments, and under names that do not exist. */
  private static final String SETTINGS =
      """
      # the token was planted-in-a-comment before
      vigil:
        trust: approve
        metrics:
          token: planted-metrics-token
          tokn: planted-misspelled
        coap:
          port: 5699
          dtls:
            psk:
              node-7: planted-shared-key
              "[a b]": hex:706c616e7465642d686578
            key-file: %s
        border:
          link-security:
            key: 706c616e7465646c696e6b6b65793031
        mirror:
          publish: ["coap://user:planted-in-uri@192.0.2.1"]
        operator-token-file: %s
        northbound.webhook.ops:
          headers: {X-Gotify-Key: planted-gotify-key}
          header-files: {Authorization: %s}
        automations:
          commanderKey: %s
      elsewhere:
        password: planted-foreign
      """;

  private static final String LOG =
      """
      2026-11-22T10:00:00.000Z INFO  GatewayRun: Vigil 0.1.0, build 1
      2026-11-22T10:00:01.000Z WARN  Any: Authorization: Bearer planted-bearer-in-log
      2026-11-22T10:00:02.000Z WARN  Any: planted-metrics-token and planted-of-key-file were used
      2026-11-22T10:00:02.500Z WARN  Any: planted-gotify-key, planted-in-header, planted-commander
      2026-11-22T10:00:03.000Z WARN  Any: password=planted-unknown-password, next
      2026-11-22T10:00:04.000Z WARN  Any: {"kty":"EC","d":"planted-private-jwk","x":"public-x"}
      2026-11-22T10:00:05.000Z WARN  Any: Cookie: VIGIL=planted-cookie; other=planted-too
      -----BEGIN PRIVATE KEY-----
      planted-pem-line-one
      -----END PRIVATE KEY-----
      2026-11-22T10:00:06.000Z ERROR Store: cannot write, the disk is full
      """;

  @TempDir Path folder = Path.of("");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine command =
        new CommandLine(
            new SupportCommand(
                SHOWN, new ByteArrayInputStream(LOG.getBytes(UTF_8)), Clock.systemUTC()));
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return command.execute(arguments);
  }

  private Path settings() throws IOException {
    Path keys = folder.resolve("psk.keys");
    Files.writeString(keys, "node-8=planted-of-key-file\n");
    Path token = folder.resolve("own.token");
    Files.writeString(token, "planted-operator-token-of-a-file\n");
    Path header = folder.resolve("header");
    Files.writeString(header, "Bearer planted-in-header\n");
    Path commander = folder.resolve("commander.jwk");
    Files.writeString(commander, "planted-commander\n");
    Path config = folder.resolve("mine.yaml");
    Files.writeString(config, SETTINGS.formatted(keys, token, header, commander));
    return config;
  }

  private static Map<String, String> texts(Path zip) throws IOException {
    Map<String, String> texts = new HashMap<>();
    try (ZipFile file = new ZipFile(zip.toFile())) {
      for (Enumeration<? extends ZipEntry> all = file.entries(); all.hasMoreElements(); ) {
        ZipEntry entry = all.nextElement();
        texts.put(entry.getName(), new String(file.getInputStream(entry).readAllBytes(), UTF_8));
      }
    }
    return texts;
  }

  @Test
  void noPlantedSecretIsInTheBundleOfARunningGateway() throws IOException {
    Path data = folder.resolve("data");
    Path bundle = folder.resolve("support.zip");
    try (InProcessGateway gateway = new InProcessGateway(data)) {
      int code =
          run(
              bundle.toString(),
              "--data-dir=" + data,
              "--config=" + settings(),
              "--log=-",
              "--url=" + gateway.address("http"));
      assertThat(code).as(err.toString()).isZero();
      Map<String, String> texts = texts(bundle);
      assertThat(texts.keySet())
          .contains("about.txt", "settings.txt", "data-folder.txt", "log.txt", "health.json")
          .contains("metrics.txt", "doctor.txt")
          .doesNotContain("missing.txt");
      String token = Files.readString(data.resolve("operator.token")).strip();
      String password = Files.readString(data.resolve("admin.password")).strip();
      assertThat(texts.values())
          .allSatisfy(
              text ->
                  assertThat(text)
                      .doesNotContain("planted", "706c616e", token, password)
                      .doesNotContainPattern("\"d\":\"[^\\[]"));
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(bundle)))
        .isEqualTo("rw-------");
  }

  @Test
  void detailsForSupportStayReadable() throws IOException {
    Path bundle = folder.resolve("support.zip");
    assertThat(run(bundle.toString(), "--data-dir=" + folder, "--config=" + settings(), "--log=-"))
        .isZero();
    Map<String, String> texts = texts(bundle);
    assertThat(texts.get("settings.txt"))
        .contains("vigil.trust = approve", "vigil.coap.port = 5699")
        .contains("vigil.metrics.token = [secret]", "vigil.metrics.tokn = [secret]")
        .contains("vigil.coap.dtls.psk.node-7 = [secret]", "elsewhere.password = [secret]")
        .contains("vigil.coap.dtls.key-file = ", "coap://[secret]@192.0.2.1");
    assertThat(texts.get("log.txt"))
        .contains("Vigil 0.1.0, build 1", "cannot write, the disk is full", "\"x\":\"public-x\"")
        .contains("Bearer [secret]", "password=[secret], next");
    assertThat(texts.get("data-folder.txt")).contains("psk.keys", "rw-");
    assertThat(texts.get("about.txt")).contains("version", "java", "processors");
    assertThat(texts.get("missing.txt")).contains("--url is missing");
  }

  @Test
  void aBundleIsWrittenWhileNothingAnswers() throws IOException {
    Path bundle = folder.resolve("support.zip");
    assertThat(
            run(bundle.toString(), "--data-dir=" + folder, "--log=-", "--url=http://127.0.0.1:9"))
        .isZero();
    assertThat(texts(bundle).get("missing.txt")).contains("nothing answers at http://127.0.0.1:9");
    assertThat(texts(bundle)).containsKey("log.txt");
  }

  @Test
  void anExistingFileIsNotOverwritten() throws IOException {
    Path bundle = folder.resolve("support.zip");
    Files.writeString(bundle, "mine");
    assertThat(run(bundle.toString(), "--data-dir=" + folder, "--log=-")).isEqualTo(1);
    assertThat(err.toString()).contains("already exists: name a new file");
    assertThat(Files.readString(bundle)).isEqualTo("mine");
    assertThat(run(folder.resolve("b.zip").toString(), "--log=" + folder.resolve("none.log")))
        .isEqualTo(1);
    assertThat(err.toString()).contains("does not exist or cannot be read");
    assertThat(folder.resolve("b.zip")).doesNotExist();
  }

  @Test
  void onlyKnownSettingsThatAreNoSecretsAreShown() {
    for (String shown :
        List.of(
            "vigil.trust",
            "vigil.coap.addresses[0]",
            "vigil.domains.plant.history",
            "vigil.domains.plant.limits.payload",
            "vigil.border.radios[0].kind",
            "vigil.accounts.operator-token",
            "vigil.accounts.first-password-file",
            "vigil.http.tls.key",
            "vigil.automations.commander-key",
            "vigil.northbound.webhook.ops.header-files.X-Auth-Token",
            "logging.level.dev.vigil")) {
      assertThat(SHOWN.isShown(shown)).as(shown).isTrue();
    }
    for (String hidden :
        List.of(
            "vigil.metrics.token",
            "vigil.metrics.tokn",
            "vigil.border.link-security.key",
            "vigil.border.linkSecurity.key",
            "vigil.coap.dtls.psk.node",
            "vigil.coap.dtls.psk[a b]",
            "vigil.northbound.webhook.ops.url",
            "vigil.northbound.webhook.ops.headers.X-Gotify-Key",
            "vigil.northbound.webhook.ops.headers[X-Gotify-Key]",
            "vigil.northbound.webhook.headerfiles.url",
            "vigil.northbound.influxdb.db.url",
            "vigil.northbound.influxdb[a b].url",
            "vigil.none",
            "spring.datasource.url",
            "password")) {
      assertThat(SHOWN.isShown(hidden)).as(hidden).isFalse();
    }
  }
}

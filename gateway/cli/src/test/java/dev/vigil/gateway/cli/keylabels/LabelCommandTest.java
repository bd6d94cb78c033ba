package dev.vigil.gateway.cli.keylabels;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LabelCommandTest {
  /** The thumbprint of the example in RFC 8037 appendix A.3. */
  private static final String JKT = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";

  private static final String GROUPS = "kPrK _qmx VWaY VA9w wBF6 Iuo3 vVzz 7TxH CTwX Bygr S4k";

  /** The key of RFC 8037 appendix A.1, with its private part. */
  private static final String JWK =
      """
      {"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
       "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}""";

  @TempDir private Path folder = Path.of("");

  private record Done(int code, String out, String err) {}

  private Done run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        new CommandLine(new LabelCommand())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));
    return new Done(command.execute(arguments), out.toString(), err.toString());
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void aThumbprintMayBeginLikeAnOption() throws IOException {
    String out = file("labels.svg");
    String jkt = "-h" + JKT.substring(2);
    Done done = run("pump", "--domain=-", "--key", jkt, "--out=" + out);
    assertThat(done.code()).as(done.err()).isZero();
    assertThat(Files.readString(Path.of(out))).contains("-hrK");
    Done attached = run("pump", "--domain=-", "--key=" + jkt, "--out=" + file("other.svg"));
    assertThat(attached.code()).as(attached.err()).isZero();
    assertThat(run("pump", "--key", "--domain=-").err()).contains("\"--domain=-\" is neither");
    assertThat(run("pump", "--key", "--list", "x").err())
        .contains("Missing required parameter for option '--key' (KEY)");
  }

  @Test
  void aSecondKeyIsRefused() {
    Done done = run("pump", "--key", JKT, "--key=" + JKT, "--out=" + file("labels.svg"));
    assertThat(done.code()).isEqualTo(2);
    assertThat(done.err()).contains("option '--key' (KEY) should be specified only once");
  }

  @Test
  void aPageThatTheCameraOpensOrAUrnIsTheTextOfTheCode() {
    KeyLabel label = new KeyLabel(JKT, "pump & co", "");
    assertThat(label.text(URI.create("https://gateway.example:8443")))
        .isEqualTo("https://gateway.example:8443/#/enrol?key=" + JKT + "&ep=pump%20%26%20co&d=-");
    assertThat(label.text(URI.create("https://gateway.example/vigil/")))
        .startsWith("https://gateway.example/vigil/#/enrol?key=");
    String urn = "urn:ietf:params:oauth:jwk-thumbprint:sha-256:" + JKT;
    assertThat(label.text(null)).isEqualTo(urn + "#ep=pump%20%26%20co&d=-");
    assertThat(new KeyLabel(JKT, null, null).text(null)).isEqualTo(urn);
  }

  @Test
  void aThumbprintInGroupsOrAFileWithAPrivateKeyGivesALabel() throws IOException {
    Files.writeString(folder.resolve("mote.jwk"), JWK);
    Done typed = run("mote-1", "--key", GROUPS, "-o", file("typed.svg"));
    assertThat(typed)
        .isEqualTo(new Done(0, file("typed.svg") + ": 1 label, print it without scaling\n", ""));
    run("mote-1", "--key", file("mote.jwk"), "-o", file("read.svg"));
    String svg = Files.readString(folder.resolve("read.svg"));
    assertThat(svg)
        .isEqualTo(Files.readString(folder.resolve("typed.svg")))
        .contains(">mote-1<", ">kPrK _qmx VWaY<", ">Bygr S4k<", "width=\"210mm\"");
  }

  @Test
  void longNamesLeaveRoomForTheThumbprint() {
    String name = "n".repeat(63);
    String svg = LabelSheet.svg(List.of(new KeyLabel(JKT, name, name)), 0, null);
    double top = Double.parseDouble(svg.replaceAll("(?s).*<text y=\"([0-9.]+)\".*", "$1"));
    double lines =
        Pattern.compile("dy=\"([0-9.]+)\"")
            .matcher(svg)
            .results()
            .mapToDouble(line -> Double.parseDouble(line.group(1)))
            .sum();
    assertThat(top + lines).isBetween(30.0, 37.0);
  }

  @Test
  void aListOfKeysFillsNumberedSheets() throws IOException {
    String rows =
        IntStream.range(0, 23)
            .mapToObj(i -> "%s%02dA,m<%d>%n".formatted(JKT.substring(0, 40), i, i))
            .collect(Collectors.joining());
    Files.writeString(folder.resolve("keys.csv"), "jkt,ep\n" + rows);
    Done done = run("--list", file("keys.csv"), "--skip", "20", "-o", file("all.svg"));
    assertThat(done.err()).isEmpty();
    assertThat(done.out().lines()).hasSize(3);
    assertThat(Files.readString(folder.resolve("all-1.svg"))).contains(">m&lt;0&gt;<");
    assertThat(Files.readString(folder.resolve("all-2.svg"))).contains(">m&lt;21&gt;<");
    assertThat(Files.readString(folder.resolve("all-3.svg"))).contains(">m&lt;22&gt;<");

    assertThat(run("--list", file("keys.csv"), "m<7>", "-o", file("one.svg")).code()).isZero();
    assertThat(run("--list", file("keys.csv"), "nobody").err())
        .isEqualTo("vigil: " + file("keys.csv") + " has no key of endpoint nobody\n");
  }

  @Test
  void mistakesAreNamed() throws IOException {
    Files.writeString(folder.resolve("bad.csv"), "jkt,ep\nshort,m\n");
    Files.writeString(folder.resolve("bad.jwk"), "{}");
    assertThat(run("--list", file("bad.csv")).err()).contains("line 2: jkt: a thumbprint has 43");
    assertThat(run("--list", file("none")).err()).contains("cannot read");
    assertThat(run("m", "--key", file("bad.jwk")).err()).contains("bad.jwk: the JWK is not of");
    assertThat(run("m", "--key", JKT.substring(1)).err())
        .contains("neither a file nor the 43 characters");
    // The last letter of a thumbprint ends in two zero bits.
    assertThat(run("m", "--key", JKT.substring(0, 42) + "l").err()).contains("neither a file");
    assertThat(run("--key", JKT))
        .extracting(Done::code, Done::err)
        .satisfies(
            seen -> {
              assertThat(seen.get(0)).isEqualTo(2);
              assertThat(seen.get(1).toString()).contains("belongs to one ENDPOINT");
            });
    assertThat(run("m", "--key", JKT, "--page", "gateway").code()).isEqualTo(2);
    assertThat(run("m\u0001", "--key", JKT).err()).contains("ENDPOINT: the name holds U+0001");
    assertThat(run("m", "--key", JKT, "-d", ".a").err()).contains("--domain: the name begins");
    Files.writeString(folder.resolve("last.csv"), "jkt\n" + JKT.substring(0, 42) + "l\n");
    assertThat(run("--list", file("last.csv")).err()).contains("no key has the thumbprint kPrK_");
    Files.writeString(folder.resolve("plant.csv"), "jkt,d\n" + JKT + ",plant\n");
    assertThat(run("--list", file("plant.csv")).err())
        .contains(
            "line 2: the key is for domain \"plant\", but the list for the one without a name");
    assertThat(run("m", "--key", JKT, "--skip", "21").err()).contains("--skip takes 0 to 20");
    assertThat(run("m", "--key", JKT, "-o", file("bad.jwk")).err())
        .isEqualTo("vigil: " + file("bad.jwk") + " exists: name another file with --out\n");
  }
}

package dev.vigil.border.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vigil.border.associations.AssociationFileReader;
import dev.vigil.border.ipsec.AssociationFile;
import dev.vigil.border.ipsec.AssociationFile.Entry;
import dev.vigil.border.ipsec.AssociationRules;
import dev.vigil.border.ipsec.Profile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

class AssociationCommandTest {
  private static final String MOTE = "fd00::202:2:2:2";
  private static final String HOST = "fd00::1";

  @TempDir Path folder;

  private record Result(int exit, String out, String err) {}

  private Result run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine verb = AssociationCommand.with(new SecureRandom());
    verb.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    verb.setParameterExceptionHandler(
        (error, ignored) -> {
          error.getCommandLine().getErr().println(error.getMessage());
          return CommandLine.ExitCode.USAGE;
        });
    int exit = verb.execute(arguments);
    return new Result(exit, out.toString(), err.toString());
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  private Result make(String profile, String moteFile, String... more) {
    String hostFile = file("host").toString();
    return run(
        Stream.of(
                Stream.of("new", "--mote", MOTE, "--host", HOST, "--profile", profile),
                Stream.of("--mote-file", moteFile, "--host-file", hostFile),
                Stream.of(more))
            .flatMap(words -> words)
            .toArray(String[]::new));
  }

  private static List<Entry> entries(Path file) throws IOException {
    return AssociationFileReader.read(file, AssociationFile.MOTE_ENTRIES).entries();
  }

  @Test
  void compressedUdpIsNamedInBothFilesAndNotForLinux() throws IOException {
    String file = file("mote").toString();
    Result made = make("ctr-xcbc", file, "--compress-udp", "--store");
    assertThat(made.out()).contains("vigil-esp-host");
    List<String> lines = Files.readAllLines(file("mote"));
    assertThat(lines.get(0)).startsWith("out esp-udp ctr-xcbc ");
    assertThat(lines.get(1)).startsWith("in esp-udp ctr-xcbc ");
    assertThat(lines.get(2)).startsWith("store esp ctr-xcbc ");
    assertThat(Files.readAllLines(file("host")).getFirst()).startsWith("in esp-udp ctr-xcbc ");
    assertThat(run("linux", file).err())
        .startsWith(file + ": line 1: Linux cannot read compressed UDP headers inside ESP");
    assertThat(make("ah-xcbc", file("ah").toString(), "--compress-udp").err())
        .startsWith("--compress-udp needs ESP, not ah-xcbc");
    assertThat(Files.exists(file("ah"))).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Profile.class)
  void newAssociationsFitBothEnds(Profile profile) throws IOException {
    assertThat(make(profile.label(), file("mote").toString()).exit()).isZero();
    List<Entry> mote = entries(file("mote"));
    List<Entry> host = entries(file("host"));
    assertThat(mote).extracting(Entry::direction).containsExactly("out", "in");
    assertThat(host).extracting(Entry::direction).containsExactly("in", "out");
    for (int i = 0; i < 2; i++) {
      assertThat(host.get(i).association()).isEqualTo(mote.get(i).association());
      assertThat(AssociationRules.isForwarded(mote.get(i).association().spi())).isTrue();
    }
    assertThat(run("check", "--mote", file("mote").toString()).out())
        .contains("2 associations with 1 peers");
  }

  @Test
  void anAhIsAddedToTheEspAndNothingIsWrittenTwice() throws IOException {
    make("ctr-xcbc", file("mote").toString());
    assertThat(make("ah-xcbc", file("mote").toString()).exit()).isZero();
    assertThat(entries(file("host"))).hasSize(4);
    String before = Files.readString(file("host"));
    Result again = make("ah-xcbc", file("other").toString());
    assertThat(again.exit()).isEqualTo(2);
    assertThat(again.err()).contains("line 5: line 3 already has this protocol and direction");
    assertThat(file("other")).doesNotExist();
    assertThat(file("host")).hasContent(before);
  }

  @Test
  void aBlockStoreGetsTheSameLineAtBothEnds() throws IOException {
    Result made = make("cbc-xcbc", file("mote").toString(), "--store");
    assertThat(made.exit()).isZero();
    assertThat(made.out()).contains("cbc-xcbc and a block store between");
    Entry store = entries(file("mote")).getLast();
    assertThat(store.direction()).isEqualTo("store");
    assertThat(store.profile()).isEqualTo(Profile.CTR_XCBC);
    assertThat(entries(file("host")).getLast().association()).isEqualTo(store.association());
    assertThat(entries(file("mote")))
        .extracting(entry -> entry.association().spi())
        .doesNotHaveDuplicates();
    assertThat(run("linux", file("mote").toString()).out().lines())
        .hasSize(5)
        .filteredOn(line -> line.startsWith("ip xfrm state") && line.contains("dst " + HOST))
        .hasSize(2);
    Result again = make("ah-xcbc", file("mote").toString(), "--store");
    assertThat(again.exit()).isEqualTo(2);
    assertThat(again.err()).contains("already has a `store` line: give another name");
  }

  @Test
  void eachOfSeveralBlockStoresGetsALineAndKeysOfItsOwn() throws IOException {
    Result made = make("ctr-xcbc", file("mote").toString(), "--store", "--store-name", "alarms");
    assertThat(made.exit()).isZero();
    assertThat(made.out()).contains("ctr-xcbc and 2 block stores between");
    assertThat(entries(file("mote")))
        .extracting(Entry::store)
        .containsExactly("", "", "", "alarms");
    assertThat(entries(file("mote")))
        .extracting(entry -> entry.association().spi())
        .doesNotHaveDuplicates();
    assertThat(entries(file("host")).getLast().store()).isEqualTo("alarms");
    Result wrong = make("ah-xcbc", file("mote").toString(), "--store-name", "a/b");
    assertThat(wrong.exit()).isEqualTo(2);
    assertThat(wrong.err())
        .contains("the name of a block store is 1 to 15 of a to z, 0 to 9 and -");
  }

  @Test
  void onlyTheOwnerMayAccessTheFiles() throws IOException {
    make("ccm8", file("mote").toString());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file("mote"))))
        .isEqualTo("rw-------");
    Files.setPosixFilePermissions(file("mote"), PosixFilePermissions.fromString("rw-r-----"));
    Result open = run("check", file("mote").toString());
    assertThat(open.exit()).isEqualTo(2);
    assertThat(open.err()).contains("chmod 600 " + file("mote"));
  }

  /** Root may open the file, but the gateway runs as another user and may not. */
  @Test
  void rootDoesNotAcceptTheFileOfAnotherUser() throws IOException {
    assumeTrue(Files.getOwner(folder).getName().equals("root"), "only root may give files away");
    make("ccm8", file("mote").toString());
    assertThat(run("check", file("mote").toString()).exit()).isZero();
    Files.setAttribute(file("mote"), "unix:uid", 65_534);
    String owner = Files.getOwner(file("mote")).getName();
    for (String verb : List.of("check", "linux", "new")) {
      String mote = file("mote").toString();
      Result others = verb.equals("new") ? make("ah-xcbc", mote) : run(verb, mote);
      assertThat(others.exit()).as(verb).isEqualTo(2);
      assertThat(others.err())
          .contains(
              file("mote") + " may be opened only by its owner " + owner,
              "sudo -u " + owner + " ./vigil sa " + verb);
    }
    assertThat(Files.getOwner(file("mote")).getName()).isEqualTo(owner);
  }

  @Test
  void aWrongFileIsReportedWithItsLine() throws IOException {
    Files.writeString(file("wrong"), "# ours\nup esp\n");
    Files.setPosixFilePermissions(file("wrong"), PosixFilePermissions.fromString("rw-------"));
    Result wrong = run("check", file("wrong").toString());
    assertThat(wrong.exit()).isEqualTo(2);
    assertThat(wrong.err()).startsWith(file("wrong") + ": line 2: give: in|out");
    assertThat(run("check", file("missing").toString()).err()).contains("there is no such file");
  }

  @Test
  void theLinuxHostGetsTheFarSideOfTheFile() throws IOException {
    make("ctr-xcbc", file("mote").toString());
    make("ah-sha1", file("mote").toString());
    List<String> lines = run("linux", file("mote").toString()).out().lines().toList();
    assertThat(lines).hasSize(6).allMatch(line -> line.startsWith("ip xfrm "));
    assertThat(lines.getFirst())
        .matches(
            "ip xfrm state add src %s dst %s proto esp spi 0x11[0-9a-f]{6} reqid 4301 mode transport"
                    .formatted(MOTE, HOST)
                + " replay-window 32 enc 'rfc3686\\(ctr\\(aes\\)\\)' 0x[0-9a-f]{40}"
                + " auth-trunc 'xcbc\\(aes\\)' 0x[0-9a-f]{32} 96");
    assertThat(lines.get(4))
        .isEqualTo(
            "ip xfrm policy add src fd00::1 dst fd00::202:2:2:2 proto udp dir out"
                + " tmpl src fd00::1 dst fd00::202:2:2:2 proto esp reqid 4301 mode transport"
                + " tmpl src fd00::1 dst fd00::202:2:2:2 proto ah reqid 4301 mode transport");
    assertThat(lines.get(5)).contains("dir in tmpl src fd00::202:2:2:2 dst fd00::1 proto esp");
  }

  @Test
  void theLinuxHostGetsCtrWithHmacSha1() {
    assertThat(make("ctr-sha1", file("mote").toString()).exit()).isZero();
    assertThat(run("linux", file("mote").toString()).out().lines().limit(2))
        .allMatch(
            line ->
                line.matches(
                    ".* enc 'rfc3686\\(ctr\\(aes\\)\\)' 0x[0-9a-f]{40}"
                        + " auth-trunc 'hmac\\(sha1\\)' 0x[0-9a-f]{40} 96"));
  }

  @Test
  void aFileOfManyPeersNeedsOneToBeNamed() throws IOException {
    make("ccm8", file("mote").toString());
    Result second =
        run(
            "new",
            "--mote",
            "fd00::3",
            "--host",
            HOST,
            "--mote-file",
            file("m3").toString(),
            "--host-file",
            file("host").toString());
    assertThat(second.exit()).isZero();
    Result unnamed = run("linux", file("host").toString());
    assertThat(unnamed.exit()).isEqualTo(2);
    assertThat(unnamed.err()).contains("fd00::202:2:2:2, fd00::3");
    assertThat(run("linux", file("host").toString(), "--peer", "fd00::3").out().lines()).hasSize(4);
    String[] both = {"linux", file("host").toString(), "--peer", "fd00::3", "--peer", MOTE};
    assertThat(run(both).out().lines()).hasSize(8);
  }
}

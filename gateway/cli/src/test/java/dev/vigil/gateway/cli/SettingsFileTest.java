package dev.vigil.gateway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsFileTest {
  @TempDir Path folder = Path.of("");

  private String problem(String text) throws IOException {
    return problem(text.getBytes(StandardCharsets.UTF_8));
  }

  private String problem(byte[] octets) throws IOException {
    Path file = Files.write(folder.resolve("mine.yaml"), octets);
    return new SettingsFile(file).problem().orElse("");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "vigil:\\n  trust: [a\\n  b: c\\n           | 3 | expected",
        "vigil:\\n\\ttrust: a\\n                   | 2 | TAB",
        "vigil:\\n  trust: a\\n  trust: b\\n       | 3 | duplicate key trust",
        "vigil:\\n  trust: \\u0001\\n              | 2 | a character",
        "vigil:\\n  a: 'b\\n                       | 3 | unexpected end",
        "vigil:\\n  metrics.token: *hidden\\n      | 2 | undefined alias",
        "vigil:\\n  metrics.token: !hidden a\\n    | 2 | tag",
      })
  void aBrokenFileIsReportedInOneSentenceWithItsLine(String text, int line, String words)
      throws IOException {
    assertThat(problem(text.replace("\\u0001", "\u0001").translateEscapes()))
        .contains("mine.yaml, line " + line + " is not valid YAML: ")
        .contains(words)
        .doesNotContain("hidden", "\n");
  }

  @Test
  void aFileThatIsNotYamlIsReportedInOneSentence() throws IOException {
    assertThat(problem(new byte[] {(byte) 0xff, (byte) 0x80, 0, 1})).contains("mine.yaml");
    assertThat(problem("just words")).contains("is not a setting of Vigil");
    assertThat(new SettingsFile(folder).problem().orElse("")).contains("cannot be read");
  }

  @Test
  void foreignSettingsAreNamedWithTheirLinesAndWithoutValues() throws IOException {
    assertThat(problem("vigil.trust: approve\nserver:\n  port: 9091\nvigl:\n  trust: approve\n"))
        .isEqualTo(
            "server.port (mine.yaml, line 3), vigl.trust (mine.yaml, line 5) is not a setting of"
                + " Vigil; docs/guide/settings.md lists all settings");
  }

  @Test
  void settingsAndLogLevelsPass() throws IOException {
    assertThat(problem("vigil:\n  trust: approve\nlogging.level.dev.vigil: DEBUG\n")).isEmpty();
    assertThat(problem("")).isEmpty();
    assertThat(problem("# nothing\nvigil:\n")).isEmpty();
  }

  @Test
  void filesOfTheWorkingFolderAndTheNamedOneAreRead() throws IOException {
    Path own = Files.writeString(folder.resolve("application.yaml"), "");
    Path named = Files.writeString(folder.resolve("other.yaml"), "");
    assertThat(SettingsFile.of(folder, named))
        .containsExactly(new SettingsFile(own), new SettingsFile(named));
  }
}

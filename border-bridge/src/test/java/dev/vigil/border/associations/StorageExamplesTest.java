package dev.vigil.border.associations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.Vectors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The packets of docs/protocol.md section 12 equal the packets of the shared vectors. */
class StorageExamplesTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "protocol.md");

  @ParameterizedTest
  @ValueSource(strings = {"payload", "b", "c", "d"})
  void theDocumentShowsBlockTwoOfTheVectors(String field) throws IOException {
    Map<String, String> block =
        Vectors.storedBlocks().stream()
            .filter(one -> "2".equals(one.get("number")))
            .findFirst()
            .orElseThrow();
    Matcher example =
        Pattern.compile("<!-- example: store-" + field + " -->\\n```\\n(.*?)```\\n", Pattern.DOTALL)
            .matcher(Files.readString(DOCUMENT));
    assertThat(example.find()).isTrue();
    assertThat(example.group(1).replaceAll("\\s", "")).isEqualTo(block.get(field));
  }
}

package dev.vigil.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The mirror accepts and answers exactly the examples of docs/protocol.md, octet for octet. After a
 * change of the wire format, {@code -Dvigil.examples.write=true} rewrites them.
 */
class ProtocolExamplesTest {
  @TempDir Path folder;

  @Test
  void everyExampleIsAcceptedOrAnsweredByTheMirror() throws Exception {
    Map<String, String> made = new ProtocolExamples(folder).all();
    if (Boolean.getBoolean("vigil.examples.write")) {
      ProtocolDocument.write(made);
    }
    Map<String, String> written = ProtocolDocument.examples();
    made.forEach((name, octets) -> assertThat(written).as(name).containsEntry(name, octets));
  }
}

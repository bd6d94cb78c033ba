package dev.vigil.border;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.border.wire.WireReader;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Only {@code wire.WireReader} indexes octets. The test reads the compiled code of every package:
 * loading an element of a byte array is always the same instruction, whatever the source code looks
 * like.
 */
class OctetAccessTest {
  private static final String CURSOR = "wire/WireReader.";

  /** Methods that load octets without the cursor, with the reasons. */
  private static final Map<String, String> EXEMPT =
      Map.of(
          "ieee802154/Fcs.of", "a table lookup for each octet, in a loop without an index",
          "crypto/Aes.xor", "adds a key stream to text; a vectorised loop over given lengths");

  @Test
  void onlyTheCursorIndexesOctets() throws IOException, URISyntaxException {
    Set<String> found = new TreeSet<>();
    int scanned = 0;
    Path root = classes().resolve("dev/vigil/border");
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        scan(root, file, found);
        scanned++;
      }
    }
    assertThat(scanned).isGreaterThan(250);
    assertThat(found).as("the scanner detects the cursor").contains(CURSOR + "u8");
    found.removeIf(method -> method.startsWith(CURSOR));
    assertThat(found).isEqualTo(EXEMPT.keySet());
  }

  private static Path classes() throws URISyntaxException {
    return Path.of(WireReader.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static void scan(Path root, Path file, Set<String> found) throws IOException {
    ClassModel type = ClassFile.of().parse(file);
    String name = root.relativize(file).toString().replace(".class", "");
    for (MethodModel method : type.methods()) {
      method
          .code()
          .ifPresent(
              code -> {
                for (CodeElement element : code) {
                  if (element instanceof Instruction instruction
                      && instruction.opcode() == Opcode.BALOAD) {
                    found.add(name + "." + method.methodName().stringValue());
                    return;
                  }
                }
              });
    }
  }
}

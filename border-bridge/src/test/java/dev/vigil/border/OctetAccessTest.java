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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Received octets are indexed by the wire package alone. The compiled code tells: loading an
 * element of a byte array is one instruction, wherever the source hides it.
 */
class OctetAccessTest {
  private static final List<String> CODECS =
      List.of("ieee802154", "ipv6", "sixlowpan", "ipsec", "rpl");

  /** Sums octets in a loop over all of them, without an index. */
  private static final Set<String> EXEMPT = Set.of("ieee802154/Fcs.of");

  @Test
  void noCodecIndexesOctetsItself() throws IOException, URISyntaxException {
    Path root =
        Path.of(WireReader.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> found = new ArrayList<>();
    int scanned = 0;
    for (String codec : CODECS) {
      try (Stream<Path> files = Files.walk(root.resolve("dev/vigil/border").resolve(codec))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
          scan(codec, ClassFile.of().parse(file), found);
          scanned++;
        }
      }
    }
    found.removeAll(EXEMPT);
    assertThat(scanned).isGreaterThan(50);
    assertThat(found).isEmpty();
  }

  @Test
  void theScannerSeesAnIndexWhereThereIsOne() throws IOException, URISyntaxException {
    Path root =
        Path.of(WireReader.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path reader = root.resolve("dev/vigil/border/wire/WireReader.class");
    List<String> found = new ArrayList<>();
    scan("wire", ClassFile.of().parse(reader), found);
    assertThat(found).contains("wire/WireReader.u8");
  }

  private static void scan(String codec, ClassModel type, List<String> found) {
    String name = type.thisClass().asInternalName();
    for (MethodModel method : type.methods()) {
      method
          .code()
          .ifPresent(
              code -> {
                for (CodeElement element : code) {
                  if (element instanceof Instruction instruction
                      && instruction.opcode() == Opcode.BALOAD) {
                    found.add(
                        codec
                            + name.substring(name.lastIndexOf('/'))
                            + "."
                            + method.methodName().stringValue());
                    return;
                  }
                }
              });
    }
  }
}

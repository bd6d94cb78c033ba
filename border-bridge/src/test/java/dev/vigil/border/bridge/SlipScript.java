package dev.vigil.border.bridge;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lines of a recorded SLIP dialogue between a host and an unmodified slip-radio. */
public final class SlipScript {
  private SlipScript() {}

  /**
   * One SLIP frame.
   *
   * @param fromRadio whether the radio sent the frame
   * @param ipv6 the packet that the frame completed
   */
  public record Line(boolean fromRadio, byte[] frame, byte @Nullable [] ipv6) {}

  /** All lines of a recording, in order. */
  public static List<Line> of(String file) {
    Path path = Path.of(System.getProperty("vigil.vectors", "vectors"), "contiki-ng", file);
    try {
      List<Line> script = new ArrayList<>();
      for (String line : Files.readAllLines(path)) {
        String[] word = line.split("\\s+");
        if (line.startsWith("# ip6: ")) {
          Line last = script.removeLast();
          byte[] ipv6 = HexFormat.of().parseHex(word[2]);
          script.add(new Line(last.fromRadio(), last.frame(), ipv6));
        } else if (word.length > 2 && (word[1].equals("<") || word[1].equals(">"))) {
          byte[] frame = HexFormat.of().parseHex(word[2]);
          script.add(new Line(word[1].equals("<"), frame, null));
        }
      }
      return script;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

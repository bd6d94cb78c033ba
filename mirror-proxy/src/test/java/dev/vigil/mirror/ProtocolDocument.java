package dev.vigil.mirror;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The examples of docs/protocol.md: each is a code block behind a comment {@code <!-- example: NAME
 * -->}. White space inside a block is only for the reader and is not part of the example.
 */
final class ProtocolDocument {
  private static final Path FILE = Path.of("..", "docs", "protocol.md");
  private static final Pattern BLOCK =
      Pattern.compile("(<!-- example: ([a-z0-9-]+) -->\\n```\\w*\\n)(.*?)(```\\n)", Pattern.DOTALL);
  private static final int LINE = 96;

  private ProtocolDocument() {}

  /** The examples by name, without white space. */
  static Map<String, String> examples() throws IOException {
    Map<String, String> examples = new LinkedHashMap<>();
    Matcher block = BLOCK.matcher(Files.readString(FILE));
    while (block.find()) {
      String twin = examples.put(block.group(2), block.group(3).replaceAll("\\s", ""));
      if (twin != null) {
        throw new IllegalStateException("two examples are named " + block.group(2));
      }
    }
    return examples;
  }

  /** Replaces the blocks with these names; the others stay. */
  static void write(Map<String, String> examples) throws IOException {
    String text = Files.readString(FILE);
    Files.writeString(
        FILE,
        BLOCK
            .matcher(text)
            .replaceAll(
                block -> {
                  String made = examples.get(block.group(2));
                  String body = made == null ? block.group(3) : folded(made);
                  return Matcher.quoteReplacement(block.group(1) + body + block.group(4));
                }));
  }

  private static String folded(String text) {
    StringBuilder lines = new StringBuilder();
    for (int at = 0; at < text.length(); at += LINE) {
      lines.append(text, at, Math.min(text.length(), at + LINE)).append('\n');
    }
    return lines.toString();
  }
}

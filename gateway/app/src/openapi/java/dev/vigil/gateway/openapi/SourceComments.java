package dev.vigil.gateway.openapi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The comments of records: the description of a record, and the meaning of each component.
 *
 * @param records by the record's name with its package and outer class, as in {@link
 *     Class#getName()}
 */
record SourceComments(Map<String, Comment> records) {
  // Possessive: a long comment would otherwise take a frame of the stack for each character.
  private static final Pattern RECORD =
      Pattern.compile(
          "/\\*\\*((?:[^*]++|\\*(?!/))*+)\\*/\\s*(?:@[A-Z]\\w*(?:\\([^)]*\\))?\\s*)*"
              + "(?:public |private |static |final )*record (\\w+)");
  private static final Pattern PARAMETER =
      Pattern.compile("@param (\\w+) (.*?)(?=@param|@throws|$)", Pattern.DOTALL);

  /**
   * @param text of the record; empty when there is none
   * @param components meaning of the components that have one
   */
  record Comment(String text, Map<String, String> components) {
    static final Comment NONE = new Comment("", Map.of());
  }

  /** The comments of all modules of the gateway, whose folders lie side by side. */
  static SourceComments ofModules(Path gateway) throws IOException {
    Map<String, Comment> records = new HashMap<>();
    List<Path> folders;
    try (Stream<Path> modules = Files.list(gateway)) {
      folders =
          modules
              .map(module -> module.resolve("src/main/java"))
              .filter(Files::isDirectory)
              .toList();
    }
    for (Path folder : folders) {
      add(records, folder);
    }
    return new SourceComments(Map.copyOf(records));
  }

  private static void add(Map<String, Comment> records, Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.walk(folder)) {
      files = found.filter(file -> file.toString().endsWith(".java")).toList();
    }
    for (Path file : files) {
      String path = folder.relativize(file).toString().replace(".java", "").replace('/', '.');
      String outer = path.substring(path.lastIndexOf('.') + 1);
      Matcher record = RECORD.matcher(Files.readString(file));
      while (record.find()) {
        String name = record.group(2).equals(outer) ? path : path + "$" + record.group(2);
        records.put(name, comment(record.group(1)));
      }
    }
  }

  Comment of(String className) {
    return records.getOrDefault(className, Comment.NONE);
  }

  private static Comment comment(String raw) {
    String plain =
        raw.replaceAll("\\n\\s*\\*", "\n")
            .replaceAll("\\{@(?:code|link|linkplain) #?([^}]*)}", "$1")
            .replaceAll("</?p>", "")
            .replaceAll("\\s+", " ")
            .strip();
    int tags = plain.indexOf("@param");
    String text = tags < 0 ? plain : plain.substring(0, tags).strip();
    Map<String, String> components = new HashMap<>();
    Matcher parameter = PARAMETER.matcher(plain);
    while (parameter.find()) {
      components.put(parameter.group(1), parameter.group(2).strip());
    }
    return new Comment(text, components);
  }
}

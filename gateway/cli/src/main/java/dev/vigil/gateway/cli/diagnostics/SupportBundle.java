package dev.vigil.gateway.cli.diagnostics;

import dev.vigil.gateway.redaction.Redactor;
import dev.vigil.gateway.redaction.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The texts of a support bundle by file name; each text passes through the {@link Redactor}. */
final class SupportBundle {
  private final Map<String, String> texts = new TreeMap<>();
  private final Redactor redactor;

  SupportBundle(Redactor redactor) {
    this.redactor = redactor;
  }

  void add(String name, String text) {
    if (!text.isEmpty()) {
      texts.put(name, redactor.redact(text));
    }
  }

  /**
   * The settings of a file. A value is hidden unless the setting's name shows that it is harmless.
   */
  static String settings(Settings shown, Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(
            one ->
                one.getKey()
                    + " = "
                    + (shown.isShown(one.getKey()) ? one.getValue() : Redactor.MARK))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** The names of the environment variables that are settings; all values are hidden. */
  static String environment(Map<String, String> environment) {
    return environment.keySet().stream()
        .filter(name -> name.startsWith("VIGIL_") || name.startsWith("JAVA_"))
        .sorted()
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** Lists the mode, size, time and name of each file in the data folder, without contents. */
  static String listing(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      StringBuilder listing = new StringBuilder();
      for (Path file : files.sorted().toList()) {
        PosixFileAttributes of =
            Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        listing.append(
            "%s %s %12d %s %s%n"
                .formatted(
                    PosixFilePermissions.toString(of.permissions()),
                    of.owner().getName(),
                    of.size(),
                    of.lastModifiedTime(),
                    file.getFileName()));
      }
      return listing.toString();
    } catch (IOException e) {
      return "%s cannot be listed (%s)%n".formatted(folder, e.getClass().getSimpleName());
    }
  }

  List<String> names() {
    return List.copyOf(texts.keySet());
  }

  void write(OutputStream out) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, String> text : texts.entrySet()) {
        zip.putNextEntry(new ZipEntry(text.getKey()));
        zip.write(text.getValue().getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
  }
}

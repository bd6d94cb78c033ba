package dev.vigil.gateway.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.FileSystemResource;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.reader.ReaderException;

/**
 * A YAML file with an operator's settings. It is read before Spring reads it, because Spring does
 * not name a broken file and accepts settings that do not belong to Vigil.
 */
public record SettingsFile(Path path) {
  public static final String NO_SETTING =
      " is not a setting of Vigil; docs/guide/settings.md lists all settings";

  private static final List<String> SETTINGS = List.of("vigil.", "logging.level.");

  /** The settings files that Spring reads for a gateway in this folder. */
  public static List<SettingsFile> of(Path folder, @Nullable Path config) {
    List<SettingsFile> files = new ArrayList<>();
    for (Path place : List.of(folder, folder.resolve("config"))) {
      for (String name : List.of("application", "application-demo")) {
        for (String suffix : List.of(".yaml", ".yml")) {
          files.add(new SettingsFile(place.resolve(name + suffix)));
        }
      }
    }
    files.removeIf(file -> !Files.isRegularFile(file.path()));
    if (config != null) {
      files.add(new SettingsFile(config));
    }
    return files;
  }

  /**
   * The settings by name, with unresolved placeholders; list and map elements are named by index
   * and key.
   *
   * @throws IOException when the file cannot be read as YAML; the message contains no value
   */
  public Map<String, String> settings() throws IOException {
    Map<String, String> settings = new TreeMap<>();
    try {
      for (PropertySource<?> document :
          new YamlPropertySourceLoader().load("vigil", new FileSystemResource(path))) {
        if (document instanceof EnumerablePropertySource<?> some) {
          for (String name : some.getPropertyNames()) {
            settings.put(name, String.valueOf(some.getProperty(name)));
          }
        }
      }
    } catch (RuntimeException e) {
      throw new IOException(path + " is not valid YAML");
    }
    return settings;
  }

  /** A sentence about the first error, without any value; empty when the file is valid. */
  public Optional<String> problem() {
    try {
      return foreign(new YamlPropertySourceLoader().load("vigil", new FileSystemResource(path)));
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
      return broken(line, String.valueOf(e.getProblem()));
    } catch (ReaderException e) {
      return broken(lineOf(e.getPosition()), "a character that YAML does not allow");
    } catch (YAMLException e) {
      return broken(1, "it cannot be read as UTF-8 text in YAML");
    } catch (IOException | RuntimeException e) {
      return Optional.of(path + " cannot be read as YAML: is it a file, and may you read it?");
    }
  }

  /**
   * Cuts off words that the YAML reader quotes from the file, because they may be an unquoted
   * secret.
   */
  private Optional<String> broken(int line, String problem) {
    String words = problem.replaceAll("(?s)(found undefined alias|for the tag) .*", "$1");
    return Optional.of("%s, line %d is not valid YAML: %s".formatted(path, line, words));
  }

  private int lineOf(int position) {
    try {
      String text = Files.readString(path, StandardCharsets.UTF_8);
      return 1 + (int) text.codePoints().limit(position).filter(one -> one == '\n').count();
    } catch (IOException e) {
      return 1;
    }
  }

  private Optional<String> foreign(List<PropertySource<?>> documents) {
    TreeSet<String> names = new TreeSet<>();
    for (PropertySource<?> document : documents) {
      if (document instanceof EnumerablePropertySource<?> settings) {
        for (String name : settings.getPropertyNames()) {
          if (!isSetting(name)) {
            names.add(name + " (" + place(document, name) + ")");
          }
        }
      }
    }
    return names.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", names) + NO_SETTING);
  }

  private static boolean isSetting(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.equals("vigil") || SETTINGS.stream().anyMatch(lower::startsWith);
  }

  private String place(PropertySource<?> document, String name) {
    return OriginLookup.getOrigin(document, name) instanceof TextResourceOrigin text
            && text.getLocation() != null
        ? "%s, line %d".formatted(path.getFileName(), text.getLocation().getLine() + 1)
        : String.valueOf(path.getFileName());
  }
}

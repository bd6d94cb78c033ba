package dev.vigil.gateway;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;

import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The repository's files, without anything that a build makes. */
public final class SourceTree {
  /** The classes of the product: Maven hands over tests of other modules as jars. */
  static final ImportOption PRODUCT =
      location ->
          !location.contains("-tests.jar")
              && new ImportOption.DoNotIncludeTests().includes(location);

  static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

  private static final Set<String> SKIPPED =
      Set.of("target", "build", "dist", "node_modules", "data", "venv", "__pycache__");
  private static final Pattern TYPE = Pattern.compile("\\b(?:class|record|interface|enum) (\\w+)");
  private static final Pattern SCRIPT =
      Pattern.compile("\\b(?:class|function|const|interface|type) (\\w+)");

  private final Set<String> files = new TreeSet<>();

  /** The text of the files that declare a type, by its simple name. */
  private final Map<String, String> types = new HashMap<>();

  SourceTree() throws IOException {
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean skipped = SKIPPED.contains(name) || name.startsWith(".") && !name.equals(".ci");
            return skipped && !folder.equals(ROOT)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            files.add(ROOT.relativize(file).toString().replace('\\', '/'));
            return FileVisitResult.CONTINUE;
          }

          /** Other tests may build packages at the same time. */
          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            return e instanceof NoSuchFileException
                ? FileVisitResult.CONTINUE
                : super.visitFileFailed(file, e);
          }
        });
    withExtension("java").forEach(file -> declare(TYPE, file));
    withExtension("ts", "tsx", "py").forEach(file -> declare(SCRIPT, file));
  }

  private void declare(Pattern declaration, String file) {
    String text = text(file);
    Matcher declared = declaration.matcher(text);
    Set<String> names = new TreeSet<>();
    while (declared.find()) {
      names.add(declared.group(1));
    }
    names.forEach(name -> types.merge(name, text, (a, b) -> a + b));
  }

  Set<String> files() {
    return files;
  }

  List<String> withExtension(String... extensions) {
    List<String> found = new ArrayList<>();
    for (String extension : extensions) {
      files.stream().filter(file -> file.endsWith("." + extension)).forEach(found::add);
    }
    return found;
  }

  /** The documents for people: docs, READMEs and the documents at the top. */
  Set<String> documents() {
    return files.stream()
        .filter(file -> file.endsWith("README.md") || file.matches("(docs/(guide/)?)?[^/]*\\.md"))
        .collect(toCollection(TreeSet::new));
  }

  /** Whether a file or folder has that path, or ends with it at a slash. */
  boolean has(String path) {
    String bare = path.replaceAll("/$", "");
    return files.stream()
        .anyMatch(
            file ->
                file.equals(bare)
                    || file.endsWith("/" + bare)
                    || file.startsWith(bare + "/")
                    || file.contains("/" + bare + "/"));
  }

  boolean hasType(String name) {
    return types.containsKey(name);
  }

  /** Whether a file that declares the type mentions the member. */
  boolean hasMember(String type, String member) {
    return Pattern.compile("\\b" + member + "\\b").matcher(types.getOrDefault(type, "")).find();
  }

  String all(String... extensions) {
    return withExtension(extensions).stream().map(SourceTree::text).collect(joining("\n"));
  }

  public static String text(String file) {
    try {
      return Files.readString(ROOT.resolve(file));
    } catch (MalformedInputException e) {
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

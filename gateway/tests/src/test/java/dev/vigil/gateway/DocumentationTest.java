package dev.vigil.gateway;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The documents name files, classes, tests and sections that exist, and so does the code. */
class DocumentationTest {
  private static final Pattern TOKEN = Pattern.compile("`([^`\\n]+)`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern FILE =
      Pattern.compile("[\\w./-]+\\.(java|py|c|h|md|ts|tsx|sh|sql|yaml)");
  private static final Pattern FOLDER = Pattern.compile("[\\w-]+(/[\\w.-]+)+/?");
  private static final Pattern TYPE =
      Pattern.compile("((?:[a-z0-9]+[./])*)([A-Z]\\w*[a-z]\\w*)(?:\\.(\\w+)(?:\\(.*\\))?)?");
  private static final Pattern PYTHON_TEST = Pattern.compile("test_\\w+");
  private static final Pattern CITATION =
      Pattern.compile(
          "docs/protocol\\.md`?,? sections? (\\d[\\d.]*(?:(?:,| and| to|, and) \\d[\\d.]*)*)");

  /** The name of the protocol's document before it was in the repository, and vague citations. */
  private static final Pattern OUTSIDE =
      Pattern.compile(
          "protocols\\.md|protocols, section|[Ss]ections? \\d[\\d., and]* of the protocol\\b|"
              + "(?<!docs/)\\bprotocol,? section \\d");

  private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)*");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern LINE_START = Pattern.compile("\\s*\\n\\s*(?:\\*|//|#)?\\s*");

  /** Words in code style that are no types of ours: formats, headers, Californium's connector. */
  private static final Set<String> NO_TYPES =
      Set.of("Accept", "Allow", "Location", "EdDSA", "Ed25519", "Connector", "Via");

  private static SourceTree tree;

  @BeforeAll
  static void read() throws IOException {
    tree = new SourceTree();
  }

  @Test
  void everyLinkOfADocumentLeadsSomewhere() {
    List<String> broken = new ArrayList<>();
    for (String document : tree.documents()) {
      for (MatchResult link : all(LINK, SourceTree.text(document))) {
        String target = link.group(1);
        if (!target.contains("://") && !leads(document, target)) {
          broken.add(document + ": " + target);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  private static boolean leads(String document, String target) {
    String[] parts = target.split("#", 2);
    Path folder = SourceTree.ROOT.resolve(document).resolveSibling("");
    Path file =
        parts[0].isEmpty()
            ? folder.resolve(Path.of(document).getFileName())
            : folder.resolve(parts[0]);
    if (!Files.exists(file)) {
      return false;
    }
    String relative = SourceTree.ROOT.relativize(file.normalize()).toString();
    return parts.length == 1
        || all(HEADING, SourceTree.text(relative)).stream()
            .anyMatch(heading -> anchor(heading.group(1)).equals(parts[1]));
  }

  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\w -]", "").replace(' ', '-');
  }

  @Test
  void everyPathInADocumentExists() {
    assertThat(tokens(DocumentationTest::isMissingPath)).isEmpty();
  }

  private static boolean isMissingPath(String token) {
    if (FILE.matcher(token).matches()) {
      return !token.equals("application.yaml") && !tree.has(token.replaceFirst("^(\\.\\./)+", ""));
    }
    boolean ours =
        FOLDER.matcher(token).matches()
            && !token.contains("/build/")
            && Files.isDirectory(SourceTree.ROOT.resolve(token.substring(0, token.indexOf('/'))));
    return ours && !tree.has(token);
  }

  @Test
  void everyTypeInADocumentExists() {
    assertThat(tokens(DocumentationTest::isMissingType)).isEmpty();
  }

  private static boolean isMissingType(String token) {
    Matcher type = TYPE.matcher(token);
    if (!type.matches() || FILE.matcher(token).matches() || NO_TYPES.contains(type.group(2))) {
      return false;
    }
    String folder = type.group(1).replace('.', '/');
    String member = type.group(3);
    return !tree.hasType(type.group(2))
        || !folder.isEmpty() && !tree.has(folder + type.group(2) + ".java")
        || member != null && !tree.hasMember(type.group(2), member);
  }

  @Test
  void everyPythonTestInADocumentExists() {
    String tests = tree.all("py");
    assertThat(
            tokens(
                token ->
                    PYTHON_TEST.matcher(token).matches() && !tests.contains("def " + token + "(")))
        .isEmpty();
  }

  @Test
  void theTablesOfThreatsNameTests() {
    long named =
        all(TOKEN, SourceTree.text("docs/mirror-proxy-threats.md")).stream()
            .filter(token -> token.group(1).matches("\\w+Test\\.\\w+"))
            .count();
    assertThat(named).isGreaterThan(30);
  }

  @Test
  void everySectionOfTheProtocolThatIsCitedExists() {
    Set<String> sections =
        all(HEADING, SourceTree.text("docs/protocol.md")).stream()
            .map(heading -> heading.group(1).split("[. ]* ", 2)[0])
            .collect(toSet());
    List<String> wrong = new ArrayList<>();
    List<String> citing = tree.withExtension("java", "c", "h", "py", "ts", "tsx", "md");
    int cited = 0;
    for (String file : citing) {
      String text = LINE_START.matcher(SourceTree.text(file)).replaceAll(" ");
      for (MatchResult citation : all(CITATION, text)) {
        for (MatchResult number : all(NUMBER, citation.group(1))) {
          cited++;
          if (!sections.contains(number.group())) {
            wrong.add(file + ": section " + number.group());
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(cited).isPositive();
  }

  @Test
  void everyCitationOfTheProtocolNamesItsFile() {
    List<String> citing = tree.withExtension("java", "c", "h", "py", "ts", "tsx");
    assertThat(citing)
        .filteredOn(file -> !file.endsWith("DocumentationTest.java"))
        .allSatisfy(
            file -> assertThat(SourceTree.text(file)).as(file).doesNotContainPattern(OUTSIDE));
  }

  /** The six answers of docs/architecture.md: at most three product files of one language. */
  @Test
  void eachAdditionStatesHowManyFilesItChanges() {
    String architecture = SourceTree.text("docs/architecture.md");
    String table = architecture.substring(architecture.indexOf("## Where do I add"));
    List<String> rows = table.lines().filter(line -> line.startsWith("| a")).toList();
    assertThat(rows).hasSizeGreaterThan(7);
    for (String row : rows) {
      List<String> files =
          all(TOKEN, row).stream()
              .map(token -> token.group(1))
              .filter(token -> FILE.matcher(token).matches() && token.contains("/"))
              .toList();
      assertThat(files)
          .as(row)
          .hasSize(Integer.parseInt(row.split("\\|")[2].strip()))
          .allMatch(tree.files()::contains);
    }
  }

  @Test
  void theGlossaryHasEachTermOnceInOrder() {
    List<String> terms =
        SourceTree.text("docs/glossary.md")
            .lines()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| ---"))
            .skip(1)
            .map(line -> line.split("\\|")[1].strip().toLowerCase(Locale.ROOT))
            .toList();
    assertThat(terms).isSorted().doesNotHaveDuplicates().hasSizeGreaterThan(60);
  }

  /** Words in code style that a check finds missing, with their documents. */
  private static Set<String> tokens(Predicate<String> missing) {
    Set<String> found = new TreeSet<>();
    for (String document : tree.documents()) {
      String prose = SourceTree.text(document).replaceAll("(?s)```.*?```", "");
      all(TOKEN, prose).stream()
          .map(token -> token.group(1))
          .filter(missing)
          .forEach(token -> found.add(document + ": " + token));
    }
    return found;
  }

  private static List<MatchResult> all(Pattern pattern, String text) {
    try (Stream<MatchResult> results = pattern.matcher(text).results()) {
      return results.toList();
    }
  }
}

package dev.vigil.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModule;
import org.springframework.modulith.core.ApplicationModules;
import org.springframework.modulith.core.JavaPackage;

/** The packages of all modules of the gateway. */
class ModulesTest {
  private static final String ROOT = "dev.vigil.gateway";
  private static final int MAX_LEVELS = 7;
  private static final int MAX_FILES = 20;

  private final Map<String, Set<String>> uses = new TreeMap<>();

  /** All classes; they are read once. */
  private static ApplicationModules modules() {
    return ApplicationModules.of(GatewayApplication.class, SourceTree.PRODUCT);
  }

  @Test
  void packagesUseOnlyWhatTheirAnnotationsAllow() {
    modules().verify();
  }

  /** Tests come first on the class path: theirs would be read instead, without the annotation. */
  @Test
  void noPackageInfoOfTestsHidesThatOfThePackage() throws IOException {
    Set<String> main = new TreeSet<>();
    Set<String> test = new TreeSet<>();
    for (String file : new SourceTree().withExtension("java")) {
      if (file.contains("/dev/vigil/gateway/") && file.endsWith("/package-info.java")) {
        Set<String> of = file.contains("/src/main/java/") ? main : test;
        of.add(file.substring(file.indexOf("/java/")));
      }
    }
    assertThat(main).hasSizeGreaterThan(100);
    assertThat(test).doesNotContainAnyElementsOf(main);
  }

  @Test
  void packagesHaveAtMostSevenLevelsAndNoCycle() {
    Stream.concat(
            modules().getRootPackages().stream(),
            modules().stream().map(ApplicationModule::getBasePackage))
        .flatMap(JavaPackage::stream)
        // The build writes bean definitions as code.
        .filter(type -> !type.getName().contains("__"))
        .forEach(this::add);
    assertThat(uses).hasSizeGreaterThan(100);
    Map<String, Integer> levels = new HashMap<>();
    uses.keySet().forEach(name -> level(name, new LinkedHashSet<>(), levels));
    assertThat(levels)
        .allSatisfy((name, level) -> assertThat(level).isLessThanOrEqualTo(MAX_LEVELS));
  }

  /** The main code of all modules, including modules that others may use. */
  @Test
  void packagesHaveAtMostTwentyFiles() throws IOException {
    Map<String, Integer> sizes = new TreeMap<>();
    for (String file : new SourceTree().withExtension("java")) {
      if (file.contains("/src/main/java/")) {
        sizes.merge(file.substring(0, file.lastIndexOf('/')), 1, Integer::sum);
      }
    }
    assertThat(sizes).hasSizeGreaterThan(100);
    assertThat(sizes)
        .allSatisfy((folder, files) -> assertThat(files).as(folder).isLessThanOrEqualTo(MAX_FILES));
  }

  private void add(JavaClass type) {
    Set<String> used = uses.computeIfAbsent(type.getPackageName(), any -> new TreeSet<>());
    for (Dependency one : type.getDirectDependenciesFromSelf()) {
      String target = one.getTargetClass().getBaseComponentType().getPackageName();
      if (target.startsWith(ROOT) && !target.equals(type.getPackageName())) {
        used.add(target);
      }
    }
  }

  /** The length of the longest path of dependencies that begins at a package. */
  private int level(String name, Set<String> path, Map<String, Integer> known) {
    Integer found = known.get(name);
    if (found != null) {
      return found;
    }
    assertThat(path.add(name)).as("cycle of packages: %s, %s", path, name).isTrue();
    int below =
        uses.getOrDefault(name, Set.of()).stream()
            .mapToInt(used -> level(used, path, known))
            .max()
            .orElse(0);
    path.remove(name);
    known.put(name, below + 1);
    return below + 1;
  }
}

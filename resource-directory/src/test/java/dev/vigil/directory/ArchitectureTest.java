package dev.vigil.directory;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dependencies of the directory and of its packages. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.vigil.directory");

  /** Both calls and method references. */
  private static final DescribedPredicate<AccessTarget> SYSTEM_TIME =
      DescribedPredicate.describe(
          "the system's time",
          target ->
              Set.of(
                      "java.lang.System.currentTimeMillis",
                      "java.lang.System.nanoTime",
                      "java.time.Instant.now",
                      "java.time.Clock.systemUTC",
                      "java.time.Clock.systemDefaultZone",
                      "java.lang.Thread.sleep")
                  .contains(target.getOwner().getName() + "." + target.getName()));

  private static final ArchRule TIME_RULE =
      noClasses().should().accessTargetWhere(target(SYSTEM_TIME));

  @Test
  void usesOnlyTheLibraries() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.vigil.directory..",
            "dev.vigil.coap.exchange..",
            "dev.vigil.coap.limits..",
            "dev.vigil.coap.link..",
            "dev.vigil.store..",
            "tools.jackson.core..",
            "java..",
            "org.jspecify..",
            "org.slf4j..")
        .check(CLASSES);
  }

  /** Each package, and the only other packages of the directory that it may use. */
  @ParameterizedTest
  @CsvSource({
    "publishing, ''",
    "catalogue, publishing",
    "lookup, catalogue publishing",
    "registration, lookup catalogue publishing"
  })
  void packagesDependOnEachOtherInOneDirection(String name, String others) {
    String root = "dev.vigil.directory";
    Set<String> allowed = new HashSet<>(Set.of(root + "." + name));
    for (String other : others.split(" ")) {
      allowed.add(root + "." + other);
    }
    noClasses()
        .that()
        .resideInAPackage(root + "." + name)
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "are in other packages of the directory than " + allowed,
                c -> c.getPackageName().startsWith(root) && !allowed.contains(c.getPackageName())))
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.vigil.directory.(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void timeComesInThroughConstructors() {
    TIME_RULE.check(CLASSES);
  }

  @Test
  void theTimeRuleSeesCallsAndMethodReferences() {
    for (Class<?> sample : List.of(CallsTheClock.class, RefersToTheClock.class)) {
      JavaClasses classes = new ClassFileImporter().importClasses(sample);
      assertThat(TIME_RULE.evaluate(classes).hasViolation()).as(sample.getSimpleName()).isTrue();
    }
  }

  private static final class CallsTheClock {
    final long now = System.nanoTime();
  }

  private static final class RefersToTheClock {
    final LongSupplier now = System::nanoTime;
  }
}

package dev.vigil.coap;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The permitted dependencies of the CoAP server library. */
class ArchitectureTest {
  private static final Map<Class<?>, Set<String>> CLOCK_METHODS =
      Map.of(
          System.class, Set.of("nanoTime", "currentTimeMillis"),
          Instant.class, Set.of("now"),
          Clock.class, Set.of("system", "systemUTC", "systemDefaultZone"),
          Thread.class, Set.of("sleep"));

  /** Both calls and method references. */
  private static final ArchRule NO_SYSTEM_CLOCK =
      noClasses()
          .should()
          .accessTargetWhere(
              describe(
                  "it reads a clock of the system or sleeps",
                  access ->
                      CLOCK_METHODS.entrySet().stream()
                          .anyMatch(
                              methods ->
                                  access.getTargetOwner().isEquivalentTo(methods.getKey())
                                      && methods
                                          .getValue()
                                          .contains(access.getTarget().getName()))));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.vigil.coap");

  @Test
  void usesNoOtherModuleOfVigil() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.vigil.coap..",
            "java..",
            "javax.crypto..",
            "javax.naming..",
            "javax.security..",
            "org.eclipse.californium..",
            "tools.jackson..",
            "org.slf4j..",
            "org.jspecify..")
        .check(CLASSES);
  }

  @Test
  void exchangeAndLinkUseNoCalifornium() {
    classes()
        .that()
        .resideInAPackage("dev.vigil.coap.exchange")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.vigil.coap.exchange",
            "dev.vigil.coap.deferral",
            "dev.vigil.coap.log",
            "dev.vigil.coap.link",
            "java..",
            "org.slf4j..",
            "org.jspecify..")
        .check(CLASSES);
    classes()
        .that()
        .resideInAPackage("dev.vigil.coap.link")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.vigil.coap.link",
            "java.lang..",
            "java.util",
            "java.util.function",
            "java.util.regex",
            "java.util.stream",
            "java.io",
            "java.net",
            "java.nio..",
            "tools.jackson..",
            "org.jspecify..")
        .check(CLASSES);
  }

  @Test
  void takesTimeFromParametersOnly() {
    NO_SYSTEM_CLOCK.check(CLASSES);
  }

  /** Shows that the rule finds a clock by call and by method reference. */
  @Test
  void findsSystemClocksByCallAndByReference() {
    class Calls {
      long nanos() {
        return System.nanoTime();
      }
    }
    class References {
      final LongSupplier nanos = System::nanoTime;
    }
    class FactoryReferences {
      final Supplier<Clock> clock = Clock::systemUTC;
    }
    for (Class<?> wrong : List.of(Calls.class, References.class, FactoryReferences.class)) {
      JavaClasses imported = new ClassFileImporter().importClasses(wrong);
      assertThat(NO_SYSTEM_CLOCK.evaluate(imported).hasViolation()).as(wrong.getName()).isTrue();
    }
  }

  /** The paths of services are data in their routes; even comments must not name them. */
  @Test
  void namesNoPathOfAService() throws IOException {
    Pattern servicePath =
        Pattern.compile("(?<![\\w.-])/(ms|rd|rd-lookup|keys)\\b|\"(ms|rd|rd-lookup|keys)\"");
    assertThat("Map.of(\"/ms/*\", \"rd-lookup\")").containsPattern(servicePath);
    try (Stream<Path> files = Files.walk(Path.of("src/main"))) {
      List<Path> sources = files.filter(Files::isRegularFile).toList();
      assertThat(sources).hasSizeGreaterThan(40);
      assertThat(sources)
          .allSatisfy(f -> assertThat(f).content().doesNotContainPattern(servicePath));
    }
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.vigil.coap.(*)..").should().beFreeOfCycles().check(CLASSES);
  }
}

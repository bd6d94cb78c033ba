package dev.vigil.directory;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.vigil.directory");

  @Test
  void californiumStaysInTheCoapPackage() {
    noClasses()
        .that()
        .resideOutsideOfPackage("..coap")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.eclipse.californium..")
        .check(CLASSES);
  }

  @Test
  void theLibraryKnowsNeitherSpringNorTheModulesThatUseIt() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.springframework..",
            "dev.vigil.mirror..",
            "dev.vigil.border..",
            "dev.vigil.gateway..")
        .check(CLASSES);
  }

  @Test
  void whatARequestIsDependsOnNothingElseOfOurs() {
    noClasses()
        .that()
        .resideInAPackage("..exchange")
        .or()
        .resideInAPackage("..state")
        .or()
        .resideInAPackage("..link")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("..coap", "..catalogue", "..registration", "dev.vigil.directory")
        .check(CLASSES);
  }

  @Test
  void linksAreReadWithoutSocketsThreadsOrClocks() {
    classes()
        .that()
        .resideInAPackage("..link")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.vigil.directory.link",
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
  void nothingAsksTheSystemForTheTime() {
    noClasses()
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(Clock.class, "systemUTC")
        .orShould()
        .callMethod(Thread.class, "sleep", long.class)
        .check(CLASSES);
  }

  @Test
  void packagesDoNotDependOnEachOtherInCircles() {
    slices().matching("dev.vigil.directory.(*)..").should().beFreeOfCycles().check(CLASSES);
  }
}

package dev.vigil.gateway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.vigil.gateway");

  @Test
  void californiumIsUsedOnlyWhereCoapIsServed() {
    noClasses()
        .that()
        .resideOutsideOfPackage("..coap..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.eclipse.californium..")
        .check(CLASSES);
  }

  @Test
  void databasesAreUsedOnlyByTheStore() {
    noClasses()
        .that()
        .resideOutsideOfPackage("..store..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "org.sqlite..", "org.flywaydb..")
        .check(CLASSES);
  }

  @Test
  void theStoreKnowsNoSpring() {
    noClasses()
        .that()
        .resideInAPackage("..store..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.springframework..")
        .check(CLASSES);
  }

  @Test
  void nobodyAsksTheSystemForTheTime() {
    noClasses()
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .check(CLASSES);
    noClasses()
        .that()
        .doNotHaveSimpleName("StateConfiguration")
        .should()
        .callMethod(Clock.class, "systemUTC")
        .check(CLASSES);
  }

  @Test
  void whatAClassNeedsComesThroughItsConstructor() {
    fields().should().notBeAnnotatedWith(Autowired.class).check(CLASSES);
  }

  @Test
  void onlyTheLauncherWritesToTheTerminal() {
    noClasses()
        .that()
        .resideOutsideOfPackage("..launch..")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(CLASSES);
  }
}

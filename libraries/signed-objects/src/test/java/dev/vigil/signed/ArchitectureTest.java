package dev.vigil.signed;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dependencies of the library and of its packages. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.vigil.signed");

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
                      "java.lang.Thread.sleep")
                  .contains(target.getOwner().getName() + "." + target.getName()));

  @Test
  void usesNoOtherModuleOfVigil() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.vigil.signed..",
            "java..",
            "javax.crypto..",
            "org.jspecify..",
            "org.slf4j..",
            "org.bouncycastle.jce.provider..",
            "com.amazon.corretto..")
        .check(CLASSES);
  }

  @Test
  void codecsKnowNoSocketFileClockOrThread() {
    noClasses()
        .that(not(resideInAPackage("dev.vigil.signed.batch")))
        .and()
        .doNotHaveSimpleName("SignatureVerifier")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.net..", "java.nio.file..", "java.util.concurrent..")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .check(CLASSES);
  }

  @Test
  void nothingReadsTheClock() {
    noClasses().should().accessTargetWhere(target(SYSTEM_TIME)).check(CLASSES);
  }

  @Test
  void onlyOneClassMakesNativeCalls() {
    noClasses()
        .that()
        .doNotHaveSimpleName("P256Library")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.lang.foreign")
        .check(CLASSES);
  }

  @Test
  void onlyJoseKnowsTheCryptoProviders() {
    noClasses()
        .that(not(resideInAPackage("dev.vigil.signed.jose")))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.bouncycastle..", "com.amazon..")
        .check(CLASSES);
  }

  /** Each package, and the only other packages of the library that it may use. */
  @ParameterizedTest
  @CsvSource({
    "dev.vigil.signed, ''",
    "dev.vigil.signed.wire, ''",
    "dev.vigil.signed.json, wire",
    "dev.vigil.signed.cbor, wire",
    "dev.vigil.signed.senml, wire json cbor",
    "dev.vigil.signed.jose, wire json cbor",
    "dev.vigil.signed.batch, jose"
  })
  void packagesDependOnEachOtherInOneDirection(String name, String others) {
    Set<String> used = Set.of(others.split(" "));
    noClasses()
        .that()
        .resideInAPackage(name)
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "are in another package of the library",
                c ->
                    c.getPackageName().startsWith("dev.vigil.signed.")
                        && !c.getPackageName().equals(name)
                        && !used.contains(
                            c.getPackageName().substring("dev.vigil.signed.".length()))))
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.vigil.signed.(*)..").should().beFreeOfCycles().check(CLASSES);
  }
}

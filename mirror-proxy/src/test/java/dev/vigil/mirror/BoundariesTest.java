package dev.vigil.mirror;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Who may use whom within the mirror, and what the mirror may use. */
class BoundariesTest {
  private static final JavaClasses MIRROR =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.vigil.mirror");

  @Test
  void theMirrorUsesNothingButTheDirectoryAndTheCryptoProviders() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.vigil.mirror..",
            "dev.vigil.directory.exchange..",
            "dev.vigil.directory.state..",
            "dev.vigil.directory.link..",
            "dev.vigil.directory.registration..",
            "java..",
            "javax.crypto..",
            "org.jspecify..",
            "org.slf4j..",
            "org.bouncycastle.jce.provider..",
            "com.amazon.corretto..")
        .check(MIRROR);
  }

  @Test
  void codecsKnowNoStoreNoClockAndNoThread() {
    noClasses()
        .that(
            resideInAPackage("dev.vigil.mirror.wire..")
                .or(resideInAPackage("dev.vigil.mirror.senml..")))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.vigil.directory.state..",
            "java.util.concurrent..",
            "java.net..",
            "java.nio.file..")
        .check(MIRROR);
    noClasses()
        .that(resideInAPackage("dev.vigil.mirror.(wire|jose|senml).."))
        .should()
        .dependOnClassesThat()
        .areAssignableTo(java.time.Clock.class)
        .check(MIRROR);
  }

  @Test
  void codecsDoNotKnowWhatUsesThem() {
    noClasses()
        .that(resideInAPackage("dev.vigil.mirror.*.."))
        .should()
        .dependOnClassesThat(resideInAPackage("dev.vigil.mirror"))
        .check(MIRROR);
    slices().matching("dev.vigil.mirror.(*)..").should().beFreeOfCycles().check(MIRROR);
  }

  @Test
  void onlyTheSignaturesKnowTheProviders() {
    noClasses()
        .that(not(resideInAPackage("dev.vigil.mirror.jose")))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.bouncycastle..", "com.amazon..")
        .check(MIRROR);
  }
}

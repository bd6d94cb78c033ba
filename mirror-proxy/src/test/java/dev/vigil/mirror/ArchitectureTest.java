package dev.vigil.mirror;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.vigil.mirror.trust.JwkCodec;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Dependencies of the mirror and of its packages. */
class ArchitectureTest {
  private static final String ROOT = "dev.vigil.mirror";
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages(ROOT);

  /** Each package of the mirror with the other packages of the mirror that it may use. */
  private static final Map<String, Set<String>> MAY_USE = new HashMap<>();

  static {
    MAY_USE.put("refusal", Set.of());
    MAY_USE.put("control", Set.of());
    MAY_USE.put("model.keys", Set.of("refusal"));
    MAY_USE.put("model", Set.of("refusal", "model.keys", "control"));
    MAY_USE.put("confidential", Set.of("refusal"));
    Set<String> records = Set.of("refusal", "model", "model.keys");
    MAY_USE.put("limits", records);
    Set<String> belowState = and(and(records, "confidential"), "limits");
    MAY_USE.put("state", belowState);
    Set<String> belowFeatures = and(belowState, "state");
    MAY_USE.put("registration", belowFeatures);
    MAY_USE.put("trust", belowFeatures);
    MAY_USE.put("command", and(and(belowFeatures, "trust"), "control"));
    MAY_USE.put("update", and(belowFeatures, "registration"));
    MAY_USE.put("read.history", and(belowFeatures, "trust"));
    MAY_USE.put("read", and(and(and(belowFeatures, "trust"), "read.history"), "control"));
  }

  private static Set<String> and(Set<String> names, String more) {
    return Stream.concat(names.stream(), Stream.of(more)).collect(Collectors.toSet());
  }

  /** Methods that ask the system for the time or sleep, whether called or referenced. */
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

  @Test
  void usesOnlyTheLibrariesAndTheDirectorysPublishing() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.vigil.mirror..",
            "dev.vigil.coap.exchange..",
            "dev.vigil.coap.deferral..",
            "dev.vigil.coap.limits..",
            "dev.vigil.coap.link..",
            "dev.vigil.coap.limits..",
            "dev.vigil.store..",
            "dev.vigil.signed..",
            "dev.vigil.directory.publishing..",
            "java..",
            "javax.crypto..",
            "org.jose4j..",
            "org.jspecify..",
            "org.slf4j..")
        .check(CLASSES);
  }

  @Test
  void jose4jIsUsedByTheJwkCodecAndNotOnTheFastPath() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(JwkCodec.class.getName())
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.jose4j..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.vigil.mirror.update..",
            "dev.vigil.mirror.registration..",
            "dev.vigil.mirror.state..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(JwkCodec.class)
        .check(CLASSES);
  }

  @Test
  void packagesImportInOneDirection() {
    Set<String> packages =
        CLASSES.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> !name.equals(ROOT))
            .map(name -> name.substring(ROOT.length() + 1))
            .collect(Collectors.toSet());
    assertThat(MAY_USE.keySet()).isEqualTo(packages);
    MAY_USE.forEach(ArchitectureTest::requireUse);
  }

  private static void requireUse(String name, Set<String> others) {
    noClasses()
        .that()
        .resideInAPackage(ROOT + "." + name)
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "are in packages of the mirror other than " + others,
                used ->
                    used.getPackageName().equals(ROOT)
                        || used.getPackageName().startsWith(ROOT + ".")
                            && !used.getPackageName().equals(ROOT + "." + name)
                            && !others.contains(
                                used.getPackageName().substring(ROOT.length() + 1))))
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void timeComesInThroughConstructors() {
    noClasses().should().accessTargetWhere(target(SYSTEM_TIME)).check(CLASSES);
  }
}

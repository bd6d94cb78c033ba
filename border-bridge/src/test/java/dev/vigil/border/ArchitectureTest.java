package dev.vigil.border;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may import whom inside the border bridge. */
class ArchitectureTest {
  private static final String ROOT = "dev.vigil.border";

  private static final JavaClasses BRIDGE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  /** Each codec package, and the packages of this module that it may use beside itself. */
  private static final Map<String, Set<String>> MAY_USE =
      Map.of(
          "wire", Set.of(),
          "crypto", Set.of("wire"),
          "ieee802154", Set.of("wire", "crypto"),
          "ipv6", Set.of("wire"),
          "sixlowpan", Set.of("wire", "ieee802154", "ipv6"),
          "ipsec", Set.of("wire", "crypto", "ipv6", "sixlowpan"),
          "rpl", Set.of("wire", "ipv6", "ieee802154"),
          "slip", Set.of("wire", "ieee802154"));

  private static final String[] CODECS =
      MAY_USE.keySet().stream().map(name -> ROOT + "." + name + "..").toArray(String[]::new);

  static Set<String> codecPackages() {
    return MAY_USE.keySet();
  }

  @ParameterizedTest
  @MethodSource("codecPackages")
  void aCodecPackageUsesOnlyTheCodecsBelowIt(String name) {
    Set<String> allowed = new LinkedHashSet<>();
    allowed.add(ROOT + "." + name + "..");
    MAY_USE.getOrDefault(name, Set.of()).forEach(other -> allowed.add(ROOT + "." + other + ".."));
    allowed.addAll(List.of("java..", "javax.crypto..", "org.jspecify.annotations.."));
    classes()
        .that()
        .resideInAPackage(ROOT + "." + name + "..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed.toArray(String[]::new))
        .check(BRIDGE);
  }

  @Test
  void codecsHaveNoSocketsThreadsClocksFilesOrLoggers() {
    noClasses()
        .that()
        .resideInAnyPackage(CODECS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.net..",
            "java.nio.channels..",
            "java.nio.file..",
            "java.util.concurrent..",
            "org.slf4j..")
        .orShould()
        .dependOnClassesThat()
        .haveNameMatching(
            "java\\.time\\.(Clock|InstantSource)|java\\.lang\\.(Thread|ProcessBuilder)"
                + "|java\\.io\\.File.*")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .check(BRIDGE);
  }

  @Test
  void californiumIsKnownToTheHostAndItsWiringAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT + ".host..", ROOT)
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.eclipse.californium..")
        .check(BRIDGE);
  }

  @Test
  void foreignFunctionsAreCalledForTunAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".tun..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.lang.foreign..")
        .check(BRIDGE);
  }

  @Test
  void theBridgeKnowsNeitherTheDirectoryNorTheMirrorNorTheGateway() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.vigil.directory..",
            "dev.vigil.mirror..",
            "dev.vigil.gateway..",
            "org.springframework..")
        .check(BRIDGE);
  }

  @Test
  void nothingBelowKnowsTheBridgeThatWiresIt() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT, ROOT + ".cli..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT)
        .check(BRIDGE);
  }

  /** Arrays.equals stops at the first difference, and so tells how far a forged check value got. */
  @Test
  void checkValuesAreComparedInConstantTime() {
    noClasses()
        .that()
        .resideInAnyPackage(ROOT + ".crypto..", ROOT + ".ipsec..")
        .or()
        .haveSimpleName("FrameSecurity")
        .should()
        .callMethodWhere(
            target(name("equals").or(name("compare")).or(name("mismatch")))
                .and(target(owner(equivalentTo(Arrays.class)))))
        .check(BRIDGE);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(BRIDGE);
  }
}

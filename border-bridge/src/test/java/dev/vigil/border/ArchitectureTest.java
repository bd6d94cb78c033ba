package dev.vigil.border;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The packages and libraries that each package of the border bridge may use. */
class ArchitectureTest {
  private static final String ROOT = "dev.vigil.border";

  private static final JavaClasses BRIDGE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  /** Pure functions and state machines: no I/O, thread, clock or logger. */
  private static final Set<String> CODECS =
      Set.of(
          "wire",
          "crypto",
          "ieee802154",
          "ipv6",
          "sixlowpan",
          "ipsec",
          "rpl",
          "slip",
          "blocks",
          "cost");

  /** Each package, and the packages of this module that it may use. */
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("wire", Set.of()),
          Map.entry("crypto", Set.of("wire")),
          Map.entry("ieee802154", Set.of("wire", "crypto")),
          Map.entry("ipv6", Set.of("wire")),
          Map.entry("sixlowpan.iphc", Set.of("wire", "ieee802154", "ipv6")),
          Map.entry("sixlowpan", Set.of("wire", "ieee802154", "ipv6")),
          Map.entry("ipsec", Set.of("wire", "crypto", "ipv6", "sixlowpan")),
          Map.entry("rpl", Set.of("wire", "ipv6")),
          Map.entry("blocks", Set.of("wire", "ipv6")),
          Map.entry("cost", Set.of("wire", "crypto", "ieee802154", "ipv6", "sixlowpan", "ipsec")),
          Map.entry("slip", Set.of("wire", "ieee802154")),
          Map.entry("radio", Set.of("wire", "ieee802154", "ipv6", "slip")),
          Map.entry("ether", Set.of("wire", "ieee802154", "radio")),
          Map.entry("tun", Set.of("wire", "ipv6")),
          Map.entry("host", Set.of("wire", "ipv6")),
          Map.entry("capture", Set.of()),
          Map.entry("storage", Set.of()),
          Map.entry("pipeline", Set.of()),
          Map.entry("associations", Set.of("wire", "ipv6", "ipsec", "blocks", "storage")),
          Map.entry("config", Set.of("ieee802154", "ipv6", "sixlowpan", "tun")),
          Map.entry(
              "link",
              Set.of(
                  "wire",
                  "ieee802154",
                  "ipv6",
                  "sixlowpan",
                  "radio",
                  "capture",
                  "storage",
                  "pipeline",
                  "config")),
          Map.entry(
              "routing",
              Set.of(
                  "wire",
                  "ieee802154",
                  "ipv6",
                  "rpl",
                  "radio",
                  "tun",
                  "host",
                  "associations",
                  "capture",
                  "storage",
                  "pipeline",
                  "config",
                  "link")),
          Map.entry(
              "bridge",
              Set.of(
                  "wire",
                  "ieee802154",
                  "ipv6",
                  "sixlowpan",
                  "rpl",
                  "slip",
                  "radio",
                  "ether",
                  "tun",
                  "host",
                  "ipsec",
                  "blocks",
                  "associations",
                  "capture",
                  "storage",
                  "pipeline",
                  "config",
                  "link",
                  "routing")),
          Map.entry(
              "cli",
              Set.of("wire", "ieee802154", "ipv6", "sixlowpan", "ipsec", "associations", "ether")));

  /** The libraries of each package, in addition to java.base and jSpecify. */
  private static final Map<String, List<String>> LIBRARIES =
      Map.of(
          "radio", List.of("org.slf4j..", "com.fazecast.jSerialComm.."),
          "ether", List.of("org.slf4j.."),
          "tun", List.of("org.slf4j.."),
          "host", List.of("org.eclipse.californium.elements.."),
          "capture", List.of("org.slf4j.."),
          "pipeline", List.of("org.slf4j.."),
          "link", List.of("org.slf4j.."),
          "associations", List.of("org.slf4j.."),
          "bridge", List.of("org.slf4j..", "org.eclipse.californium.elements.."),
          "cli", List.of("picocli.."));

  private static final DescribedPredicate<JavaAccess<?>> THE_SYSTEM_CLOCK =
      describe(
          "the system clock",
          access ->
              isOneOf(access, "java.lang.System", "nanoTime", "currentTimeMillis")
                  || isOneOf(access, "java.lang.Thread", "sleep")
                  || access.getTargetOwner().getPackageName().equals("java.time")
                      && (access.getName().equals("now") || access.getName().startsWith("system"))
                  || access.getTargetOwner().getName().equals("java.util.Date"));

  private static final ArchRule NO_SYSTEM_CLOCK =
      noClasses()
          .should()
          .accessTargetWhere(THE_SYSTEM_CLOCK)
          .because("clocks are constructor parameters; only the gateway uses the system clock");

  static Set<String> packages() {
    return MAY_USE.keySet();
  }

  @ParameterizedTest
  @MethodSource("packages")
  void aPackageUsesOnlyThePackagesBelowIt(String name) {
    Set<String> allowed = new LinkedHashSet<>();
    allowed.add(inModule(name));
    MAY_USE.getOrDefault(name, Set.of()).forEach(other -> allowed.add(inModule(other)));
    allowed.addAll(List.of("java..", "javax.crypto..", "org.jspecify.annotations.."));
    allowed.addAll(LIBRARIES.getOrDefault(name, List.of()));
    classes()
        .that()
        .resideInAPackage(inModule(name))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(allowed.toArray(String[]::new))
        .check(BRIDGE);
  }

  @Test
  void everyPackageHasItsRule() {
    Set<String> found =
        BRIDGE.stream().map(type -> type.getPackageName()).collect(Collectors.toSet());
    Set<String> expected =
        packages().stream().map(name -> ROOT + "." + name).collect(Collectors.toSet());
    expected.add(ROOT);
    assertThat(found).isEqualTo(expected);
  }

  private static String inModule(String name) {
    return ROOT + "." + name + "..";
  }

  private static String[] codecs() {
    return CODECS.stream().map(ArchitectureTest::inModule).toArray(String[]::new);
  }

  @Test
  void codecsHaveNoSocketsThreadsClocksFilesOrLoggers() {
    noClasses()
        .that()
        .resideInAnyPackage(codecs())
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
        .check(BRIDGE);
  }

  @Test
  void nothingReadsTheSystemClock() {
    NO_SYSTEM_CLOCK.check(BRIDGE);
  }

  /** One call and two method references. The rule must detect all three. */
  private static final class ReadsTheClock {
    static final LongSupplier BY_REFERENCE = System::nanoTime;
    static final Supplier<Instant> BY_REFERENCE_TO_JAVA_TIME = Instant::now;

    static long byCall() {
      return System.currentTimeMillis();
    }
  }

  @Test
  void theClockRuleSeesCallsAndMethodReferences() {
    JavaClasses wrong = new ClassFileImporter().importClasses(ReadsTheClock.class);
    assertThat(NO_SYSTEM_CLOCK.evaluate(wrong).getFailureReport().getDetails()).hasSize(3);
  }

  private static boolean isOneOf(JavaAccess<?> access, String owner, String... names) {
    return access.getTargetOwner().getName().equals(owner)
        && List.of(names).contains(access.getName());
  }

  @Test
  void foreignFunctionsAreCalledForTunAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackage(inModule("tun"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("java.lang.foreign..")
        .check(BRIDGE);
  }

  /** Arrays.equals stops at the first difference, which reveals the length of a correct prefix. */
  @Test
  void checkValuesAreComparedInConstantTime() {
    noClasses()
        .that()
        .resideInAnyPackage(inModule("crypto"), inModule("ipsec"))
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

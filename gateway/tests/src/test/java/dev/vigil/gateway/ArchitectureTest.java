package dev.vigil.gateway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.gateway.files.Pem;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.time.SystemTime;
import java.security.Provider;
import java.security.Security;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Profile;

class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(SourceTree.PRODUCT)
          .importPackages("dev.vigil.gateway");

  private static final Set<String> CLOCKS =
      Set.of(
          System.class.getName() + ".currentTimeMillis",
          System.class.getName() + ".nanoTime",
          Instant.class.getName() + ".now",
          InstantSource.class.getName() + ".system",
          Clock.class.getName() + ".system",
          Clock.class.getName() + ".systemUTC",
          Clock.class.getName() + ".systemDefaultZone");

  @Test
  void onlyTheCoapPackageUsesCalifornium() {
    noClasses()
        .that()
        .resideOutsideOfPackage("..coap..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.eclipse.californium..")
        .check(CLASSES);
  }

  /** The build decides conditions once for all gateways (process-aot). */
  @Test
  void noBeanOfOursIsConditional() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.springframework.boot.autoconfigure.condition..")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Conditional.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Profile.class)
        .check(CLASSES);
  }

  @Test
  void onlyTheSqliteAdapterUsesDatabases() {
    noClasses()
        .that()
        .resideOutsideOfPackage("..store.sqlite..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "org.sqlite..", "org.flywaydb..")
        .check(CLASSES);
  }

  /** Commands work on the files of a store that no gateway has open. */
  @Test
  void onlyWiringAndCommandsChooseAnAdapterOfTheStore() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "..store.sqlite..",
            "..store.jetstream..",
            "..wiring..",
            "..migration..",
            "..cli.recovery..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.vigil.gateway.store.*..")
        .check(CLASSES);
  }

  @Test
  void onlyTheJetStreamAdapterUsesNats() {
    noClasses()
        .that()
        .resideOutsideOfPackage("..store.jetstream..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.nats..")
        .check(CLASSES);
  }

  @Test
  void adaptersOfTheStoreDoNotUseSpring() {
    noClasses()
        .that()
        .resideInAnyPackage("..store.sqlite..", "..store.jetstream..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.springframework..")
        .check(CLASSES);
  }

  /** Both calls and method references: {@code Instant.now()} and {@code Instant::now}. */
  @Test
  void onlySystemTimeAsksTheSystemForTheTime() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(SystemTime.class)
        .should()
        .accessTargetWhere(
            DescribedPredicate.describe(
                "it is a clock of the system",
                (JavaAccess<?> access) ->
                    CLOCKS.contains(access.getTargetOwner().getName() + "." + access.getName())))
        .check(CLASSES);
  }

  /**
   * Every error has a kind that clients can tell apart. Refusals of the libraries get theirs in
   * {@code ProblemType}.
   */
  @Test
  void everyErrorNamesItsProblemType() {
    noClasses()
        .that()
        .doNotBelongToAnyOf(ProblemException.class)
        .should()
        .accessTargetWhere(
            DescribedPredicate.describe(
                "it is a constructor of ErrorResponseException",
                (JavaAccess<?> access) ->
                    access.getTargetOwner().isEquivalentTo(ErrorResponseException.class)
                        && access.getName().equals("<init>")))
        .check(CLASSES);
  }

  @Test
  void dependenciesComeThroughTheConstructor() {
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

  @Test
  void onlyArchiveVerificationUsesJose4j() {
    noClasses()
        .that()
        .resideOutsideOfPackage("..archive..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.jose4j..")
        .check(CLASSES);
  }

  /** Features ask {@code HttpCallers} and {@code Access}, the same for CoAP and HTTP. */
  @Test
  void onlyIdentityAndHttpUseSpringSecurity() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "..accounts..", "..credentials..", "..http..", "..oidc..", "..signin..")
        .and()
        .doNotBelongToAnyOf(GatewayApplication.class)
        // The build writes bean definitions as code.
        .and()
        .haveSimpleNameNotContaining("__")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.springframework.security..", "com.nimbusds..")
        .check(CLASSES);
  }

  @Test
  void onlyPasskeysUseWebAuthn4j() {
    noClasses()
        .that()
        .resideOutsideOfPackage("..passkeys..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.webauthn4j..")
        .check(CLASSES);
  }

  @Test
  void onlyCertificatesAndPassphrasesUseBouncyCastle() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(Pem.class.getName())
        .and()
        .doNotHaveFullyQualifiedName(Pem.class.getName() + "$Blocks")
        .and()
        .doNotHaveFullyQualifiedName("dev.vigil.gateway.tls.CertificateIssuer")
        .and()
        .doNotHaveFullyQualifiedName("dev.vigil.gateway.cli.recovery.PassphraseKey")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.bouncycastle..")
        .check(CLASSES);
  }

  @Test
  void nobodyChangesTheListOfSecurityProviders() {
    noClasses()
        .should()
        .callMethod(Security.class, "insertProviderAt", Provider.class, int.class)
        .orShould()
        .callMethod(Security.class, "addProvider", Provider.class)
        .check(CLASSES);
  }
}

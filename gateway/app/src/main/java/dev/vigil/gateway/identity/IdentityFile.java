package dev.vigil.gateway.identity;

import dev.vigil.gateway.store.Companion;
import dev.vigil.gateway.store.CompanionFiles;
import dev.vigil.mirror.trust.MirrorIdentity;
import dev.vigil.mirror.trust.UnusableIdentityException;
import dev.vigil.signed.jose.LocalKeyPair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/** The file of the identity key: in the data folder, or where the settings say. */
final class IdentityFile {
  private final boolean given;
  private final Path path;
  private final CompanionFiles companions;
  private final SecureRandom random;

  IdentityFile(IdentityProperties settings, CompanionFiles companions, SecureRandom random) {
    this.given = !settings.file().isEmpty();
    this.path = given ? Path.of(settings.file()) : companions.path(Companion.IDENTITY);
    this.companions = companions;
    this.random = random;
  }

  Path path() {
    return path;
  }

  boolean exists() {
    return Files.exists(path);
  }

  /**
   * Reads the key. A file in the data folder is made on the first start.
   *
   * @throws IOException when the file that the settings name does not exist or holds no key
   */
  LocalKeyPair load() throws IOException {
    if (given) {
      return loadGiven();
    }
    companions.require(Companion.IDENTITY);
    try {
      LocalKeyPair key = MirrorIdentity.load(path, random);
      companions.made(Companion.IDENTITY);
      return key;
    } catch (UnusableIdentityException e) {
      throw companions.unusable(Companion.IDENTITY, "holds no identity key", e);
    }
  }

  private LocalKeyPair loadGiven() throws IOException {
    // The file is never made, because a mistyped path would give the gateway another identity.
    if (!exists()) {
      throw new IOException(
          "cannot read the identity key in %s, which vigil.identity-file names: does the file exist, and may user %s read it?"
              .formatted(path, System.getProperty("user.name")));
    }
    try {
      return MirrorIdentity.load(path, random);
    } catch (UnusableIdentityException e) {
      throw new IOException(
          "cannot use the identity key in %s, which vigil.identity-file names: the file holds no private P-256 JWK"
              .formatted(path),
          e);
    }
  }
}

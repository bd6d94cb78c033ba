package dev.vigil.gateway.accounts;

import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.credentials.PasswordHasher;
import dev.vigil.gateway.files.PrivateFiles;
import dev.vigil.gateway.files.SecretFile;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.store.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Creates the first administrator with a one-time password. A file contains the password until the
 * user changes it.
 */
@Component
public final class FirstAdministrator {
  private static final Logger log = LoggerFactory.getLogger(FirstAdministrator.class);
  private static final String NAME = "admin";
  private static final String FILE = "admin.password";
  private static final Audit FIRST_START =
      new Audit("gateway", "made the first administrator " + NAME, "");

  private final AccountProperties settings;
  private final Path file;
  private final Accounts accounts;

  /**
   * Creates the account on the first start.
   *
   * @throws IOException with a message that begins with "cannot" and names the file and the fault
   */
  FirstAdministrator(
      AccountProperties settings,
      DataFolder folder,
      Accounts accounts,
      PasswordHasher hasher,
      Secrets secrets)
      throws IOException {
    this.settings = settings;
    this.file = folder.resolve(FILE);
    this.accounts = accounts;
    if (!accounts.isEmpty()) {
      if (!isOneTime()) {
        forget();
      }
    } else if (settings.firstPasswordFile().isEmpty()) {
      String password = secrets.password();
      write(password);
      createFirst(PasswordHasher.ofRandom(password));
    } else {
      createFirst(hasher.hash(given()));
    }
  }

  private void createFirst(String hash) {
    try {
      accounts.createFirst(NAME, hash, FIRST_START);
    } catch (ProblemException e) {
      if (accounts.isEmpty()) {
        throw e;
      }
      forget(); // Another gateway of the cluster was faster.
    }
  }

  private void write(String password) throws IOException {
    try {
      Files.deleteIfExists(file);
      Files.createFile(file, PrivateFiles.NEW_FILE);
      Files.writeString(file, password + "\n");
    } catch (IOException e) {
      throw new IOException("cannot write the first administrator's password to " + file, e);
    }
  }

  private String given() throws IOException {
    String secret = settings.firstPasswordFile();
    String password =
        SecretFile.read("accounts.first-password-file", "first administrator's password", secret);
    if (password.length() < PasswordRules.MIN || password.length() > PasswordRules.MAX) {
      throw new IOException(
          "cannot use the first administrator's password in %s: it must have %d to %d characters"
              .formatted(secret, PasswordRules.MIN, PasswordRules.MAX));
    }
    return password;
  }

  private boolean isOneTime() {
    return accounts.find(NAME).filter(AccountRecord::oneTime).isPresent();
  }

  /** Removes the file when its password is no longer valid. */
  public void passwordChanged(String account) {
    if (account.equals(NAME)) {
      forget();
    }
  }

  private void forget() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      log.warn("cannot remove {}; its password is no longer valid", file, e);
    }
  }

  /** The line that startup prints; empty after the password was changed. */
  public Optional<String> notice() {
    if (!isOneTime() || !Files.exists(file)) {
      return Optional.empty();
    }
    if (!settings.printFirstPassword()) {
      return Optional.of("one-time password of " + NAME + " in " + file);
    }
    try {
      return Optional.of(
          "sign in as " + NAME + " with the one-time password " + Files.readString(file).strip());
    } catch (IOException e) {
      log.warn("cannot read {}", file, e);
      return Optional.empty();
    }
  }
}

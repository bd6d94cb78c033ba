package dev.vigil.gateway.accounts;

import dev.vigil.gateway.files.OwnerOnlyFile;
import dev.vigil.gateway.files.PrivateFiles;
import dev.vigil.gateway.records.Audit;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the first administrator, with a one-time password that stands in a file until it is
 * changed.
 */
public final class FirstAdministrator {
  private static final Logger log = LoggerFactory.getLogger(FirstAdministrator.class);
  private static final String NAME = "admin";
  private static final Audit FIRST_START =
      new Audit("gateway", "made the first administrator " + NAME, "");

  private final AccountProperties settings;
  private final Path file;
  private final Accounts accounts;

  /**
   * @param file of the password that is made; it is removed once the password was changed
   */
  FirstAdministrator(AccountProperties settings, Path file, Accounts accounts) {
    this.settings = settings;
    this.file = file;
    this.accounts = accounts;
  }

  /**
   * Makes the account on the first start.
   *
   * @throws IOException begins with "cannot" and says what is wrong with which file
   */
  void prepare(PasswordHasher hasher, Secrets secrets) throws IOException {
    if (accounts.isEmpty()) {
      if (settings.firstPasswordFile().isEmpty()) {
        String password = secrets.password();
        write(password);
        accounts.createFirst(NAME, PasswordHasher.ofRandom(password), FIRST_START);
      } else {
        accounts.createFirst(NAME, hasher.hash(given()), FIRST_START);
      }
    } else if (!isOneTime()) {
      forget();
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
    Path secret = Path.of(settings.firstPasswordFile());
    try {
      OwnerOnlyFile.require(secret);
      String password = Files.readString(secret).strip();
      if (password.length() < PasswordRules.MIN || password.length() > PasswordRules.MAX) {
        throw new IOException(
            "cannot use the first administrator's password in %s: it must have %d to %d characters"
                .formatted(secret, PasswordRules.MIN, PasswordRules.MAX));
      }
      return password;
    } catch (FileSystemException e) {
      throw new IOException(
          "cannot read the first administrator's password in %s, which vigil.accounts.first-password-file names: is it there, and may user %s read it?"
              .formatted(secret, System.getProperty("user.name")),
          e);
    }
  }

  private boolean isOneTime() {
    return accounts.find(NAME).filter(AccountRecord::oneTime).isPresent();
  }

  /** Removes the file once its password is of no use. */
  void passwordChanged(String account) {
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

  /** The line that a start of the gateway prints; empty once the password was changed. */
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

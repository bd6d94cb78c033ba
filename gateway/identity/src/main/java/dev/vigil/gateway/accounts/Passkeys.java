package dev.vigil.gateway.accounts;

import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/** The passkeys of accounts. */
@Component
public final class Passkeys {
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}._ ()'-]{0,62}");
  private static final int MAX = 10_000;
  private static final int MAX_OF_ACCOUNT = 16;

  private final RecordSet<PasskeyRecord> records;
  private final Accounts accounts;
  private final Secrets secrets;

  Passkeys(Records records, Accounts accounts, Secrets secrets) {
    this.records = records.of("passkey", PasskeyRecord.class, MAX);
    this.accounts = accounts;
    this.secrets = secrets;
  }

  /** The passkeys of an account, without the passkeys of a former account of the same name. */
  public List<Versioned<PasskeyRecord>> of(String account) {
    return records.all().stream()
        .filter(passkey -> passkey.value().account().equals(account) && isPresent(passkey))
        .toList();
  }

  /** The passkeys of an account for one host name of the gateway. */
  public List<Versioned<PasskeyRecord>> of(String account, String host) {
    return of(account).stream().filter(passkey -> passkey.value().host().equals(host)).toList();
  }

  /** A passkey whose account is enabled. */
  public Optional<Versioned<PasskeyRecord>> usable(String id) {
    return records
        .get(id)
        .filter(this::isPresent)
        .filter(
            passkey ->
                accounts
                    .find(passkey.value().account())
                    .filter(AccountRecord::enabled)
                    .isPresent());
  }

  private boolean isPresent(Versioned<PasskeyRecord> stored) {
    PasskeyRecord passkey = stored.value();
    return accounts
        .find(passkey.account())
        .filter(account -> account.owns(passkey.accountMade(), passkey.createdAt()))
        .isPresent();
  }

  /**
   * @throws ProblemException 4.04 when the account has no such passkey
   */
  public Versioned<PasskeyRecord> require(String account, String id) {
    return of(account).stream()
        .filter(passkey -> passkey.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "there is no such passkey"));
  }

  /**
   * The account handle for a new passkey. It is the handle of the account's other passkeys, so that
   * an authenticator keeps a single account. Otherwise it is random and reveals nothing about the
   * account.
   */
  public String handle(String account) {
    return of(account).stream()
        .findFirst()
        .map(passkey -> passkey.value().handle())
        .orElseGet(secrets::random);
  }

  /**
   * @throws ProblemException 4.00 when the name is malformed, 4.09 when the account already has
   *     this passkey, a passkey of that name, or too many passkeys
   */
  public synchronized void add(String id, PasskeyRecord made, Audit audit) {
    requireName(made.account(), made.name(), "");
    requireRoom(made.account());
    Outcome outcome = FutureResults.of(records.put(id, made, OptionalLong.of(0), audit));
    if (outcome instanceof Outcome.Conflict) {
      throw new ProblemException(ProblemType.CONFLICT, "this passkey is registered already");
    }
    outcome.require("passkey");
  }

  /**
   * Requires that an account has a passkey before its use becomes mandatory.
   *
   * @throws ProblemException 4.09 when the account has no passkey
   */
  public void requireOne(String account) {
    if (of(account).isEmpty()) {
      throw new ProblemException(
          ProblemType.CONFLICT, "the account has no passkey: its user must add one first");
    }
  }

  /**
   * @throws ProblemException 4.09 when the account has too many
   */
  public void requireRoom(String account) {
    if (of(account).size() >= MAX_OF_ACCOUNT) {
      throw new ProblemException(
          ProblemType.LIMIT_REACHED,
          "the account has %d passkeys already: remove one first".formatted(MAX_OF_ACCOUNT));
    }
  }

  /**
   * @param except id of the passkey that may already have the name
   */
  private void requireName(String account, String name, String except) {
    if (!NAME.matcher(name).matches()) {
      throw new ProblemException(
          ProblemType.INVALID_BODY,
          "the name of a passkey has up to 63 letters, digits, spaces and . _ ( ) ' -, and begins"
              + " with a letter or digit");
    }
    if (of(account).stream()
        .anyMatch(other -> !other.id().equals(except) && other.value().name().equals(name))) {
      throw new ProblemException(
          ProblemType.CONFLICT, "the account has a passkey of that name already");
    }
  }

  public synchronized void rename(String account, String id, String name, Audit audit) {
    Versioned<PasskeyRecord> passkey = require(account, id);
    requireName(account, name, id);
    FutureResults.of(
            records.put(id, passkey.value().named(name), OptionalLong.of(passkey.version()), audit))
        .require("passkey");
  }

  /**
   * @throws ProblemException 4.09 when it is the last passkey of an account that requires one
   */
  public synchronized void remove(String account, String id, Audit audit) {
    Versioned<PasskeyRecord> passkey = require(account, id);
    boolean demanded = accounts.require(account).value().passkeyDemand() != null;
    if (demanded && of(account).size() == 1) {
      throw new ProblemException(
          ProblemType.STILL_USED,
          "the account requires a passkey, and this is its last one: add another one, or withdraw"
              + " the requirement first");
    }
    FutureResults.of(records.remove(id, OptionalLong.of(passkey.version()), audit))
        .require("passkey");
  }

  /** Removes all passkeys of a removed account. */
  void removeAll(String account, Audit audit) {
    records.all().stream()
        .filter(passkey -> passkey.value().account().equals(account))
        .forEach(
            passkey -> FutureResults.of(records.remove(passkey.id(), OptionalLong.empty(), audit)));
  }

  /**
   * Stores the use of a passkey.
   *
   * @return false when the passkey was used or changed meanwhile and must be read again
   */
  public boolean used(Versioned<PasskeyRecord> passkey, PasskeyRecord after, Audit audit) {
    Outcome outcome =
        FutureResults.of(
            records.put(passkey.id(), after, OptionalLong.of(passkey.version()), audit));
    if (outcome instanceof Outcome.Conflict) {
      return false;
    }
    outcome.require("passkey");
    return true;
  }
}

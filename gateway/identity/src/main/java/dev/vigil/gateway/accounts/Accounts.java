package dev.vigil.gateway.accounts;

import dev.vigil.coap.exchange.Access;
import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.access.NamedIdentities;
import dev.vigil.gateway.access.OperatorToken;
import dev.vigil.gateway.access.Role;
import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.credentials.PasswordHasher;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The accounts. Changes are serialized, so that an administrator always remains. */
@Component
public final class Accounts implements NamedIdentities {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._@-]{0,62}");

  /** Names of other actors in the audit trail. */
  private static final Set<String> RESERVED =
      Set.of(OperatorToken.NAME, "mirror", "endpoint", "gateway");

  private static final Pattern IDENTITY =
      Pattern.compile("(psk|cert):[^\\p{Cntrl}]{1,250}|rpk:[A-Za-z0-9_-]{43}");
  private static final int MAX = 1000;
  private static final int MAX_IDENTITIES = 64;

  private final RecordSet<AccountRecord> records;
  private final Secrets secrets;
  private final Clock clock;

  /** The roles by identity label; the map is replaced at each change. */
  private volatile Map<String, Grants> named = Map.of();

  Accounts(Records store, Secrets secrets, Clock clock) {
    this.records = store.of("account", AccountRecord.class, MAX);
    this.secrets = secrets;
    this.clock = clock;
    records.onChange(change -> named = byIdentity(records.all()));
  }

  private static Map<String, Grants> byIdentity(List<Versioned<AccountRecord>> accounts) {
    Map<String, Grants> roles = new HashMap<>();
    for (Versioned<AccountRecord> account : accounts) {
      AccountRecord record = account.value();
      Grants grants = record.enabled() ? record.grants() : Grants.NONE;
      record.identities().forEach(label -> roles.put(label, grants));
    }
    return Map.copyOf(roles);
  }

  @Override
  public @Nullable Grants grants(List<String> labels) {
    Map<String, Grants> roles = named;
    for (String label : labels) {
      Grants grants = roles.get(label);
      if (grants != null) {
        return grants;
      }
    }
    return null;
  }

  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  public Optional<AccountRecord> find(String name) {
    return records.get(name).map(Versioned::value);
  }

  /**
   * @throws ProblemException 4.04 when there is no such account
   */
  public Versioned<AccountRecord> require(String name) {
    return records
        .get(name)
        .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "there is no such account"));
  }

  List<Versioned<AccountRecord>> all() {
    return records.all();
  }

  boolean isEmpty() {
    return records.size() == 0;
  }

  /**
   * Creates an account with a one-time password.
   *
   * @return the password
   * @throws ProblemException 4.00, 4.09
   */
  synchronized String create(String name, AccountChange settings, Audit audit) {
    requireNew(name);
    String password = secrets.password();
    store(name, account(settings, PasswordHasher.ofRandom(password)), OptionalLong.of(0), audit);
    return password;
  }

  /** Creates the first administrator. */
  synchronized void createFirst(String name, String hash, Audit audit) {
    AccountChange everything = new AccountChange(Grants.ALL, List.of(), true, null);
    store(name, account(everything, hash), OptionalLong.of(0), audit);
  }

  private AccountRecord account(AccountChange settings, String hash) {
    Instant now = clock.instant();
    requireIdentities("", settings.identities());
    return new AccountRecord(
            hash, true, true, List.of(), List.of(), now, now, null, secrets.random())
        .with(settings, secrets.random());
  }

  private void requireNew(String name) {
    if (!isName(name)) {
      throw new ProblemException(
          ProblemType.INVALID_REQUEST,
          "the name of an account has up to 63 lower-case letters, digits, dots, hyphens,"
              + " underscores and at signs, and begins with a letter or digit");
    }
    if (RESERVED.contains(name)) {
      throw new ProblemException(
          ProblemType.INVALID_REQUEST, "the name is reserved: choose another name");
    }
    if (records.get(name).isPresent()) {
      throw new ProblemException(ProblemType.CONFLICT, "an account of that name already exists");
    }
  }

  private void requireIdentities(String account, List<String> identities) {
    if (identities.size() > MAX_IDENTITIES) {
      throw new ProblemException(
          ProblemType.INVALID_REQUEST, "an account has at most " + MAX_IDENTITIES + " identities");
    }
    for (String label : identities) {
      if (!IDENTITY.matcher(label).matches()) {
        throw new ProblemException(
            ProblemType.INVALID_REQUEST,
            "identities are psk:NAME, rpk:THUMBPRINT, cert:CN:NAME or cert:DNS:NAME");
      }
      for (Versioned<AccountRecord> other : records.all()) {
        if (!other.id().equals(account) && other.value().identities().contains(label)) {
          throw new ProblemException(
              ProblemType.CONFLICT, "another account has one of these identities: " + other.id());
        }
      }
    }
  }

  /**
   * @param version that the change is based on; empty: any version
   */
  synchronized void change(String name, AccountChange settings, OptionalLong version, Audit audit) {
    requireIdentities(name, settings.identities());
    AccountRecord changed = require(name).value().with(settings, secrets.random());
    requireAdministrator(name, changed);
    store(name, changed, version, audit);
  }

  synchronized void remove(String name, OptionalLong version, Audit audit) {
    require(name);
    requireAdministrator(name, null);
    FutureResults.of(records.remove(name, version, audit)).require("account");
  }

  /**
   * Sets a one-time password and ends the account's sessions.
   *
   * @return the password
   */
  synchronized String resetPassword(String name, OptionalLong version, Audit audit) {
    String password = secrets.password();
    AccountRecord account = require(name).value();
    String hash = PasswordHasher.ofRandom(password);
    store(
        name, account.withPassword(hash, true, clock.instant(), secrets.random()), version, audit);
    return password;
  }

  /**
   * Sets the password that the user has chosen, and ends earlier sessions.
   *
   * @param verified the account when the user's present password was checked
   * @return the changed account; empty when it is disabled, or no longer has the checked password
   */
  public synchronized Optional<AccountRecord> setPassword(
      String name, AccountRecord verified, String hash, Audit audit) {
    Optional<Versioned<AccountRecord>> present =
        records.get(name).filter(account -> account.value().hasCredentialsOf(verified));
    return present.map(
        account -> {
          AccountRecord changed =
              account.value().withPassword(hash, false, clock.instant(), secrets.random());
          store(name, changed, OptionalLong.of(account.version()), audit);
          return changed;
        });
  }

  /** Replaces the hash of a verified password, unless the account has changed meanwhile. */
  public synchronized void rehash(String name, AccountRecord verified, String hash) {
    Versioned<AccountRecord> present = require(name);
    if (present.value().password().equals(verified.password())) {
      FutureResults.done(
          records.put(
              name,
              present.value().rehashed(hash),
              OptionalLong.of(present.version()),
              Audit.UNRECORDED));
    }
  }

  /**
   * Sets or withdraws the account user's requirement of a passkey in addition to the password.
   *
   * @throws ProblemException 4.03 when the user withdraws an administrator's requirement
   */
  public synchronized void demandPasskey(String name, boolean required, Audit audit) {
    Versioned<AccountRecord> account = require(name);
    PasskeyDemand present = account.value().passkeyDemand();
    if (!required && present == PasskeyDemand.ADMINISTRATOR) {
      throw new ProblemException(
          ProblemType.FORBIDDEN,
          "an administrator requires a passkey for this account: ask an administrator");
    }
    if (required == (present == null)) {
      AccountRecord changed = account.value().withDemand(required ? PasskeyDemand.OWNER : null);
      store(name, changed, OptionalLong.of(account.version()), audit);
    }
  }

  private void store(String name, AccountRecord account, OptionalLong version, Audit audit) {
    FutureResults.of(records.put(name, account, version, audit)).require("account");
  }

  /** Requires that an account remains that can create accounts. */
  private void requireAdministrator(String name, @Nullable AccountRecord changed) {
    boolean remains =
        records.all().stream()
            .map(other -> other.id().equals(name) ? changed : other.value())
            .anyMatch(Accounts::administersAll);
    if (!remains) {
      throw new ProblemException(
          ProblemType.CONFLICT,
          "this is the last administrator of all domains: create another one first");
    }
  }

  private static boolean administersAll(@Nullable AccountRecord account) {
    return account != null
        && account.enabled()
        && account.hasPassword()
        && account.grants().role(Access.EVERY_DOMAIN) == Role.ADMINISTRATOR;
  }
}

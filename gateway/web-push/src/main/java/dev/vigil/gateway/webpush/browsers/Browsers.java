package dev.vigil.gateway.webpush.browsers;

import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.accounts.AccountRecord;
import dev.vigil.gateway.accounts.Accounts;
import dev.vigil.gateway.accounts.Sessions;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.webpush.VapidKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;

/** The subscribed browsers of accounts. */
@Component
class Browsers {
  private static final int MAX = 1000;
  private static final int MAX_OF_ACCOUNT = 8;

  private final RecordSet<BrowserRecord> records;
  private final Accounts accounts;
  private final VapidKey key;

  Browsers(Records records, Accounts accounts, Sessions sessions, VapidKey key) {
    this.records = records.of("push-browser", BrowserRecord.class, MAX);
    this.accounts = accounts;
    this.key = key;
    sessions.onEnd(
        ending ->
            removeAll(
                one ->
                    one.account().equals(ending.account())
                        && (ending.session() == null || ending.session().equals(one.session()))));
  }

  private void removeAll(Predicate<BrowserRecord> chosen) {
    records.all().stream()
        .filter(one -> chosen.test(one.value()))
        .forEach(
            one ->
                remove(
                    one,
                    new Audit(
                        "gateway",
                        "unsubscribed a browser of " + one.value().account() + " that signed out",
                        "")));
  }

  /** The browsers that can be reached, of all accounts. */
  List<Versioned<BrowserRecord>> all() {
    return records.all().stream().filter(one -> grants(one.value()).isPresent()).toList();
  }

  List<Versioned<BrowserRecord>> of(String account) {
    return all().stream().filter(one -> one.value().account().equals(account)).toList();
  }

  /**
   * The present roles of the browser's account; empty if the account is gone or disabled, or the
   * gateway has another key now.
   */
  Optional<Grants> grants(BrowserRecord browser) {
    return accounts
        .find(browser.account())
        .filter(account -> account.enabled() && !account.oneTime())
        .filter(account -> account.owns(browser.accountMade(), browser.createdAt()))
        .filter(account -> browser.vapid().equals(key.publicKey()))
        .map(AccountRecord::grants);
  }

  /** Subscribes a browser, or replaces its keys, session and language. */
  synchronized Versioned<BrowserRecord> put(BrowserRecord browser, Audit audit) {
    String id = idOf(browser.address());
    List<Versioned<BrowserRecord>> own = of(browser.account());
    boolean known = own.stream().anyMatch(one -> one.id().equals(id));
    if (!known && own.size() >= MAX_OF_ACCOUNT) {
      throw new ProblemException(
          ProblemType.LIMIT_REACHED,
          "%d browsers of the account get notifications already: switch one off first"
              .formatted(MAX_OF_ACCOUNT));
    }
    FutureResults.of(
            records.put(id, browser, OptionalLong.empty(), known ? Audit.UNRECORDED : audit))
        .require("browser");
    return records.get(id).orElseThrow();
  }

  static String idOf(String address) {
    return Secrets.hash(address);
  }

  /**
   * @throws ProblemException 4.04 when the account has no such browser
   */
  Versioned<BrowserRecord> require(String account, String id) {
    return of(account).stream()
        .filter(one -> one.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new ProblemException(ProblemType.NOT_FOUND, "there is no such browser"));
  }

  /** Removes a browser, also if it was renewed meanwhile. */
  void remove(Versioned<BrowserRecord> browser, Audit audit) {
    FutureResults.done(records.remove(browser.id(), OptionalLong.empty(), audit));
  }
}

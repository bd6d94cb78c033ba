package dev.vigil.gateway.accounts;

import dev.vigil.coap.exchange.Access;
import dev.vigil.coap.exchange.Access.Action;
import dev.vigil.coap.exchange.Access.Allowed;
import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.access.DomainAccess;
import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.access.Role;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.HashSet;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/**
 * Decides who may see and change an account. A caller must administer all domains in which the
 * account has roles, and all domains whose policies name the account, because a caller who changes
 * an account can sign in with it.
 */
@Component
public final class AccountRights {
  private final DomainAccess access;
  private final Accounts accounts;

  AccountRights(DomainAccess access, Accounts accounts) {
    this.access = access;
    this.accounts = accounts;
  }

  /**
   * Whether a caller may list and end an account's sessions and tokens: the user or the account's
   * administrators.
   */
  public boolean mayEnd(Caller caller, String account) {
    return caller.identity() instanceof Caller.Account(String name, var _) && name.equals(account)
        || mayAdminister(
            caller, account, accounts.find(account).map(AccountRecord::grants).orElse(Grants.NONE));
  }

  /**
   * Requires an administrator of the account; its user does not suffice.
   *
   * @throws ProblemException 4.01, 4.03
   */
  public void requireAdministrator(Caller caller, String account) {
    require(caller, account, accounts.find(account).map(AccountRecord::grants).orElse(Grants.NONE));
  }

  boolean mayAdminister(Caller caller, String account, Grants grants) {
    return domains(account, grants).stream()
        .allMatch(d -> access.decide(caller, Action.ADMINISTER, d) instanceof Allowed);
  }

  /**
   * @throws ProblemException 4.01, 4.03
   */
  public void require(Caller caller, String account, Grants grants) {
    domains(account, grants).forEach(d -> access.require(caller, Action.ADMINISTER, d));
  }

  /**
   * Requires an administrator of any domain, so that others learn nothing about accounts.
   *
   * @throws ProblemException 4.01, 4.03
   */
  public void requireSomewhere(Caller caller) {
    Grants grants = access.grants(caller);
    if (grants == null || !grants.roles().containsValue(Role.ADMINISTRATOR)) {
      access.require(caller, Action.ADMINISTER, Access.EVERY_DOMAIN);
    }
  }

  /**
   * Requires an administrator of every domain, for properties that apply everywhere, such as
   * identities.
   */
  void requireEverywhere(Caller caller) {
    access.require(caller, Action.ADMINISTER, Access.EVERY_DOMAIN);
  }

  /**
   * Requires an authenticated caller, so that others learn nothing about accounts.
   *
   * @throws ProblemException 4.01; 4.03 with a link
   */
  public static void requireIdentity(Caller caller) {
    if (caller.identity() instanceof Caller.Anonymous) {
      throw notSignedIn();
    }
    if (caller.identity() instanceof Caller.Link) {
      throw new ProblemException(
          ProblemType.FORBIDDEN, "a link permits only to see what it was made for");
    }
  }

  /**
   * The account that may own tokens and links: the caller's own. It must be an account of the
   * gateway, so that the tokens and links end with the account's rights.
   *
   * @param things in the plural
   * @throws ProblemException 4.03 for an account that the provider manages, and for an API token
   */
  public static String requireTokenOwner(Caller caller, String things) {
    if (caller.identity() instanceof Caller.Account(String name, var _)) {
      if (name.startsWith(SessionRecord.PROVIDER)) {
        throw new ProblemException(
            ProblemType.FORBIDDEN,
            "the provider manages this account: %s are only for accounts of the gateway"
                .formatted(things));
      }
      if (name.indexOf('/') < 0) {
        return name;
      }
    }
    throw new ProblemException(
        ProblemType.FORBIDDEN, "an API token cannot create %s: sign in".formatted(things));
  }

  /**
   * The account that owns what a caller saves, with which the gateway acts later: the caller's own,
   * or that of its API token.
   *
   * @param things in the plural
   * @throws ProblemException 4.03 for an account that the provider manages, whose rights are known
   *     only when it signs in, and for a caller without an account
   */
  public static String requireSaver(Caller caller, String things) {
    if (!(caller.identity() instanceof Caller.Account(String name, var _))) {
      throw new ProblemException(
          ProblemType.FORBIDDEN, "only accounts of the gateway save %s".formatted(things));
    }
    if (name.startsWith(SessionRecord.PROVIDER)) {
      throw new ProblemException(
          ProblemType.FORBIDDEN,
          "the provider manages this account: %s are only for accounts of the gateway"
              .formatted(things));
    }
    int token = name.indexOf('/');
    return token < 0 ? name : name.substring(0, token);
  }

  /**
   * The account of the caller's session. Tokens are refused, because they belong to programs.
   *
   * @param things in the plural; only accounts of the gateway have them
   * @throws ProblemException 4.01; 4.03 for an account that the provider manages
   */
  public String requireOwner(HttpServletRequest request, String things) {
    if (request.getHeader(HttpHeaders.AUTHORIZATION) != null
        || !(HttpCallers.of(request).identity() instanceof Caller.Account(String name, var _))) {
      throw notSignedIn();
    }
    if (accounts.find(name).isEmpty()) {
      throw new ProblemException(
          ProblemType.FORBIDDEN,
          "the provider manages this account: " + things + " are only for accounts of the gateway");
    }
    return name;
  }

  public static ProblemException notSignedIn() {
    return new ProblemException(ProblemType.UNAUTHORIZED, "nobody is signed in: sign in first");
  }

  private Set<String> domains(String account, Grants grants) {
    Set<String> domains = new HashSet<>(access.domainsNaming("account:" + account));
    domains.addAll(
        grants.roles().isEmpty() ? Set.of(Access.EVERY_DOMAIN) : grants.roles().keySet());
    return domains;
  }
}

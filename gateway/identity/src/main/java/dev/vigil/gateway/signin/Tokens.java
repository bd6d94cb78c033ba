package dev.vigil.gateway.signin;

import dev.vigil.gateway.access.Grants;
import dev.vigil.gateway.access.Secrets;
import dev.vigil.gateway.api.FutureResults;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The API tokens of accounts, for programs. */
@Component
final class Tokens {
  /** The prefix by which scanners for leaked secrets recognise a token. */
  static final String PREFIX = "vigil_";

  private static final int MAX = 10_000;
  private static final int MAX_OF_ACCOUNT = 64;

  private final RecordSet<TokenRecord> records;

  /** Tokens that a restore has suspended (dev.vigil.gateway.cli.recovery). */
  private final RecordSet<TokenRecord> suspended;

  private final Secrets secrets;
  private final Clock clock;

  Tokens(Records records, Secrets secrets, Clock clock) {
    this.records = records.of("token", TokenRecord.class, MAX);
    this.suspended = records.of("suspended-token", TokenRecord.class, MAX);
    this.secrets = secrets;
    this.clock = clock;
  }

  /**
   * A new token.
   *
   * @param secret shown once
   */
  record Made(String id, String secret, TokenRecord token) {}

  /**
   * The expired token that expired first gives way if the account has no place left.
   *
   * @param ownerMade the time at which the account was made; null for the operator's token
   * @throws ProblemException 4.09 when the account has a token of that name, or too many
   */
  synchronized Made make(
      String owner,
      @Nullable Instant ownerMade,
      String name,
      Grants grants,
      Instant expiresAt,
      Audit audit) {
    List<Versioned<TokenRecord>> own = list(owner::equals);
    if (own.stream().anyMatch(token -> token.value().name().equals(name))) {
      throw new ProblemException(
          ProblemType.CONFLICT, "the account already has a token of that name: revoke it first");
    }
    if (own.size() >= MAX_OF_ACCOUNT) {
      revoke(firstExpired(own).orElseThrow(Tokens::tooMany).id(), audit);
    }
    String secret = PREFIX + secrets.random();
    String id = Secrets.hash(secret);
    TokenRecord token =
        new TokenRecord(
            owner, ownerMade, name, List.copyOf(grants.texts()), clock.instant(), expiresAt);
    FutureResults.of(records.put(id, token, OptionalLong.of(0), audit)).require("token");
    return new Made(id, secret, token);
  }

  private Optional<Versioned<TokenRecord>> firstExpired(List<Versioned<TokenRecord>> own) {
    return own.stream()
        .filter(token -> isExpired(token.value()))
        .min(Comparator.comparing(token -> token.value().expiresAt()));
  }

  private static ProblemException tooMany() {
    return new ProblemException(
        ProblemType.CONFLICT,
        "the account already has %d valid tokens: revoke one first".formatted(MAX_OF_ACCOUNT));
  }

  /** The token with that secret, even when it has expired. */
  Optional<TokenRecord> find(String secret) {
    return records.get(Secrets.hash(secret)).map(Versioned::value);
  }

  /** The token with that id, even if it is suspended. */
  Optional<TokenRecord> byId(String id) {
    return records.get(id).or(() -> suspended.get(id)).map(Versioned::value);
  }

  boolean isExpired(TokenRecord token) {
    return !clock.instant().isBefore(token.expiresAt());
  }

  List<Versioned<TokenRecord>> list(Predicate<String> owners) {
    return records.all().stream().filter(token -> owners.test(token.value().owner())).toList();
  }

  /** The suspended tokens, which permit nothing until an administrator confirms them. */
  List<Versioned<TokenRecord>> suspended(Predicate<String> owners) {
    return suspended.all().stream()
        .filter(token -> owners.test(token.value().owner()) && records.get(token.id()).isEmpty())
        .toList();
  }

  /**
   * Reactivates a suspended token. Repeating it after a crash gives the same result.
   *
   * @throws ProblemException 4.04 when no token of that id is suspended
   */
  synchronized TokenRecord confirm(String id, Audit audit) {
    TokenRecord token =
        suspended
            .get(id)
            .map(Versioned::value)
            .orElseThrow(
                () ->
                    new ProblemException(
                        ProblemType.NOT_FOUND, "no token of that id is suspended"));
    FutureResults.of(records.put(id, token, OptionalLong.empty(), audit)).require("token");
    drop(id);
    return token;
  }

  synchronized void revoke(String id, Audit audit) {
    drop(id);
    FutureResults.of(records.remove(id, OptionalLong.empty(), audit)).require("token");
  }

  private void drop(String id) {
    if (suspended.get(id).isPresent()) {
      FutureResults.of(suspended.remove(id, OptionalLong.empty(), Audit.UNRECORDED))
          .require("token");
    }
  }
}

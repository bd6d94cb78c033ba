package dev.vigil.mirror;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Resource;
import dev.vigil.directory.exchange.Topics;
import dev.vigil.directory.state.Store;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.jose.Signatures;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The mirror of sleepy endpoints: what it serves, what an operator sees of it and may do to it.
 *
 * <p>Follows the store's feed from the start; the constructor returns when it stands at the
 * present.
 */
public final class MirrorProxy implements AutoCloseable {
  /**
   * @param signatures with the provider of choice; its {@code description()} belongs in the log
   */
  public MirrorProxy(
      Store store,
      Topics topics,
      Access access,
      MirrorConfig config,
      Clock clock,
      SecureRandom random,
      Signatures signatures) {
    throw new UnsupportedOperationException("signatures first: the body follows");
  }

  /** By path, for {@code Site}: {@code /ms}, {@code /ms/*}, {@code /keys/*}. */
  public Map<String, Resource> resources() {
    throw new UnsupportedOperationException();
  }

  /** Links for {@code /.well-known/core}, in link format: those of every published endpoint. */
  public String wellKnownLinks() {
    throw new UnsupportedOperationException();
  }

  /** The thumbprint of the mirror's identity key, for motes to be told. */
  public String identity() {
    throw new UnsupportedOperationException();
  }

  public List<EndpointView> endpoints() {
    throw new UnsupportedOperationException();
  }

  public Optional<EndpointView> endpoint(String id) {
    throw new UnsupportedOperationException();
  }

  public List<KeyView> keys() {
    throw new UnsupportedOperationException();
  }

  /** Commands of an endpoint that wait, and the last that ended; oldest first. */
  public List<CommandView> commands(String id) {
    throw new UnsupportedOperationException();
  }

  /** What was refused since the start, by reason and endpoint; bounded in number. */
  public List<RejectionCount> rejections() {
    throw new UnsupportedOperationException();
  }

  /** Follows the mirror's changes after a position; see {@link Store#changes}. */
  public Store.Subscription follow(long after, Consumer<MirrorEvent> follower) {
    throw new UnsupportedOperationException();
  }

  /** The state that the last folded change left: a place to follow from. */
  public long position() {
    throw new UnsupportedOperationException();
  }

  /**
   * Trusts what waits for an operator: the held key of the endpoint where there is one, else the
   * pending endpoint itself. Fails with {@code ExchangeException} 4.04 or 4.09.
   *
   * @param actor who decided, for the audit trail
   */
  public CompletableFuture<EndpointView> approve(String id, String actor) {
    throw new UnsupportedOperationException();
  }

  /** Drops what waits for an operator. */
  public CompletableFuture<EndpointView> refuse(String id, String actor) {
    throw new UnsupportedOperationException();
  }

  /** Revokes a key under every name and domain, known or not. */
  public CompletableFuture<Void> revoke(String jkt, String actor) {
    throw new UnsupportedOperationException();
  }

  /** Imports a key into a domain's list. */
  public CompletableFuture<Void> list(String domain, Jwk key, String actor) {
    throw new UnsupportedOperationException();
  }

  /** Takes a waiting command out of the queue. */
  public CompletableFuture<Void> cancel(String id, long seq, String actor) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}

package dev.vigil.mirror;

import dev.vigil.mirror.command.CommandService;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.keys.ListedKey;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RefusalMapper;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.trust.TrustService;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Operators' decisions. The caller checks access. Each decision is recorded in the audit trail with
 * its actor; a future fails with an {@code ErrorResponseException}.
 */
public final class MirrorOperations {
  private final Map<String, Domain> domains;
  private final TrustService trust;
  private final CommandService commands;

  MirrorOperations(Map<String, Domain> domains, TrustService trust, CommandService commands) {
    this.domains = domains;
    this.trust = trust;
    this.commands = commands;
  }

  /**
   * Approves a key by its thumbprint. A key that is not waiting is trusted at its next
   * registration.
   *
   * @param id the endpoint whose name the key gets; null to use {@code inDomains}
   * @param inDomains the domains in which the actor may approve keys. They list the key if no
   *     endpoint is named or the endpoint no longer exists
   * @return fails with 4.00 if {@code jkt} is not a thumbprint, 4.03 for a revoked key or an
   *     unknown domain, 4.04 if the endpoint belongs to none of the domains
   */
  public CompletableFuture<Void> approve(
      String jkt, @Nullable String id, Collection<String> inDomains, String actor) {
    return RefusalMapper.uncounted(
        () -> trust.approve(jkt, id, inDomains.stream().map(this::require).toList(), actor));
  }

  /**
   * Rejects a waiting key, or withdraws its approval in advance.
   *
   * @return fails with 4.04 for an unknown endpoint, 4.09 if the key is not waiting there
   */
  public CompletableFuture<Void> refuse(String id, String jkt, String actor) {
    return RefusalMapper.uncounted(() -> trust.refuse(id, jkt, actor));
  }

  /** Revokes a key, known or not, under every name and in every domain. */
  public CompletableFuture<Void> revoke(String jkt, String actor) {
    return RefusalMapper.uncounted(() -> trust.revoke(jkt, actor));
  }

  /**
   * Imports keys into a domain's list, all or none.
   *
   * @return fails with 4.03 if there is no such domain
   */
  public CompletableFuture<Void> listKeys(String domain, List<ListedKey> keys, String actor) {
    return RefusalMapper.uncounted(() -> trust.list(require(domain), keys, actor));
  }

  /**
   * Removes a key from a domain's list.
   *
   * @return fails with 4.04 if the list does not contain the key
   */
  public CompletableFuture<Void> unlistKey(String domain, String jkt, String actor) {
    return RefusalMapper.uncounted(() -> trust.unlist(require(domain), jkt, actor));
  }

  private Domain require(String name) {
    Domain domain = domains.get(name);
    if (domain == null) {
      throw new RequestRefused(Reason.POLICY, "there is no such domain");
    }
    return domain;
  }

  /**
   * Removes an endpoint with its values, keys and commands. Its sequence number and the number of
   * its last command stay, so that no recorded message is accepted again. A mote that is still
   * running registers as a new endpoint.
   *
   * @return fails with 4.04 for an unknown endpoint
   */
  public CompletableFuture<Void> forgetEndpoint(String id, String actor) {
    return RefusalMapper.uncounted(() -> trust.forget(id, actor));
  }

  /** Cancels a pending command. */
  public CompletableFuture<Void> cancelCommand(String id, long seq, String actor) {
    return RefusalMapper.uncounted(() -> commands.cancel(id, seq, actor));
  }

  /** Records in the audit trail an action that concerns neither a key nor a command. */
  public CompletableFuture<Void> recordAction(String action, String actor) {
    return RefusalMapper.uncounted(() -> trust.recordAction(action, actor));
  }
}

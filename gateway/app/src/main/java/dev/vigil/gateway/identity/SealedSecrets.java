package dev.vigil.gateway.identity;

import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Secret;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.store.SharedSecrets;
import dev.vigil.mirror.confidential.SecretSealer;
import dev.vigil.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The secrets of a cluster, encrypted with a key derived from the identity key. A reader of the
 * cluster's stream or of a replica does not learn them.
 */
final class SealedSecrets implements SharedSecrets {
  private static final int TRIES = 8;
  private static final long SECONDS = 30;

  private final SecretSealer sealer;
  private final @Nullable RecordSet<SharedSecret> records;

  record SharedSecret(@Secret String sealed) {}

  /**
   * @param records null: this gateway shares its secrets with no other
   */
  SealedSecrets(SecretSealer sealer, @Nullable RecordSet<SharedSecret> records) {
    this.sealer = sealer;
    this.records = records;
  }

  static RecordSet<SharedSecret> in(Records records) {
    return records.of("cluster-secret", SharedSecret.class);
  }

  @Override
  public byte[] derive(String purpose) {
    return sealer.derive(purpose);
  }

  @Override
  public String agree(String name, Predicate<String> usable, Supplier<String> own) {
    if (records == null) {
      return own.get();
    }
    String id = name.replace(' ', '-');
    for (int i = 0; i < TRIES; i++) {
      @Nullable Versioned<SharedSecret> present = records.get(id).orElse(null);
      String secret = present == null ? null : open(present.value(), name);
      if (secret != null && usable.test(secret)) {
        return secret;
      }
      String mine = own.get();
      long version = present == null ? 0 : present.version();
      Audit audit = new Audit("gateway", "made the %s of the cluster".formatted(name), "");
      Outcome outcome = await(records.put(id, sealed(mine, name), OptionalLong.of(version), audit));
      if (outcome instanceof Outcome.Done) {
        return mine;
      }
    }
    throw new StoreException(
        "the gateways of the cluster do not agree on the %s: start them one after another"
            .formatted(name));
  }

  private SharedSecret sealed(String secret, String name) {
    byte[] octets = sealer.seal(secret.getBytes(StandardCharsets.UTF_8), context(name));
    return new SharedSecret(Base64.getEncoder().encodeToString(octets));
  }

  private String open(SharedSecret secret, String name) {
    byte[] octets = sealer.open(Base64.getDecoder().decode(secret.sealed()), context(name));
    return new String(octets, StandardCharsets.UTF_8);
  }

  private static String context(String name) {
    return "cluster: " + name;
  }

  /**
   * The outcome of a write at the start.
   *
   * @throws StoreException when the cluster does not store it
   */
  static Outcome await(CompletableFuture<Outcome> written) {
    try {
      Outcome outcome = written.get(SECONDS, TimeUnit.SECONDS);
      if (!(outcome instanceof Outcome.NotStored)) {
        return outcome;
      }
    } catch (ExecutionException | TimeoutException e) {
      throw notStored(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw notStored(e);
    }
    throw notStored(null);
  }

  private static StoreException notStored(@Nullable Exception cause) {
    String line = "the cluster does not store anything: start a majority of the NATS servers";
    return cause == null ? new StoreException(line) : new StoreException(line, cause);
  }
}

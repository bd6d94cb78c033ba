package dev.vigil.gateway.identity;

import dev.vigil.gateway.records.Audit;
import dev.vigil.gateway.records.Outcome;
import dev.vigil.gateway.records.RecordSet;
import dev.vigil.gateway.records.Records;
import dev.vigil.signed.jose.LocalKeyPair;
import dev.vigil.store.StoreException;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The identity key of a cluster. The first gateway makes it; the others need a copy. The store has
 * only its thumbprint.
 */
final class ClusterIdentity {
  private static final Logger log = LoggerFactory.getLogger(ClusterIdentity.class);
  private static final String ID = "identity";
  private static final Audit FIRST =
      new Audit("gateway", "began a cluster with its identity key", "");

  private final RecordSet<Identity> records;

  record Identity(String thumbprint) {}

  ClusterIdentity(Records records) {
    this.records = records.of("cluster-identity", Identity.class);
  }

  /**
   * Reads the key from a file, which must hold the key of the cluster.
   *
   * @throws StoreException when the file is missing or holds another key
   */
  LocalKeyPair load(IdentityFile file) throws IOException {
    Optional<String> cluster = thumbprint();
    if (cluster.isPresent() && !file.exists()) {
      throw other(file, "is missing", cluster.get());
    }
    LocalKeyPair key = file.load();
    String own = key.jwk().thumbprint();
    if (cluster.isEmpty()) {
      claim(own);
      cluster = thumbprint();
    }
    if (!own.equals(cluster.orElse(""))) {
      throw other(file, "has the thumbprint " + own, cluster.orElse("unknown"));
    }
    return key;
  }

  private Optional<String> thumbprint() {
    return records.get(ID).map(record -> record.value().thumbprint());
  }

  private void claim(String thumbprint) {
    Outcome outcome =
        SealedSecrets.await(records.put(ID, new Identity(thumbprint), OptionalLong.of(0), FIRST));
    if (outcome instanceof Outcome.Done) {
      log.info("began a cluster; every gateway needs a copy of the identity key {}", thumbprint);
    }
  }

  private static StoreException other(IdentityFile file, String fault, String cluster) {
    return new StoreException(
        "the identity key %s %s, but the cluster's is %s: copy identity.jwk from the data folder of another gateway, mode 0600, or name a copy with vigil.identity-file"
            .formatted(file.path(), fault, cluster));
  }
}

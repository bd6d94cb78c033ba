package dev.vigil.gateway.store.jetstream;

import dev.vigil.gateway.files.SecretFile;
import dev.vigil.store.StoreException;
import io.nats.client.AuthHandler;
import io.nats.client.NKey;
import io.nats.client.Nats;
import java.io.IOException;
import java.nio.file.Path;

/** The file by which the servers know this gateway. It is read again for each connection. */
final class ClusterCredentials {
  private static final String JWT = "-----BEGIN NATS USER JWT-----";
  private static final String KEY = "-----BEGIN USER NKEY SEED-----";

  private ClusterCredentials() {}

  /**
   * @throws IOException with a message that begins with "cannot" when others can read the file or
   *     this process cannot
   * @throws StoreException when it holds no credentials
   */
  static AuthHandler of(Path file) throws IOException {
    String text = SecretFile.read("cluster.credentials", "credentials", file.toString());
    if (text.contains(JWT) && text.contains(KEY)) {
      return Nats.credentials(file.toString());
    }
    if (!isSeed(text)) {
      throw new StoreException(
          "cannot use the credentials in %s, which vigil.cluster.credentials names: give a file of nsc with a user's JWT and key, or the seed of a user's nkey, which begins with SU"
              .formatted(file));
    }
    return Nats.credentials(null, file.toString());
  }

  private static boolean isSeed(String text) {
    try {
      NKey key = NKey.fromSeed(text.toCharArray());
      boolean user = key.getType() == NKey.Type.USER;
      key.clear();
      return user;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}

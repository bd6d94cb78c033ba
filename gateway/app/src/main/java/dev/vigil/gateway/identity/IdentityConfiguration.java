package dev.vigil.gateway.identity;

import dev.vigil.gateway.cluster.ClusterProperties;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.store.CompanionFiles;
import dev.vigil.gateway.store.SharedSecrets;
import dev.vigil.mirror.confidential.SecretSealer;
import dev.vigil.signed.jose.LocalKeyPair;
import java.io.IOException;
import java.security.SecureRandom;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class IdentityConfiguration {
  @Bean
  LocalKeyPair identityKey(
      IdentityProperties settings,
      CompanionFiles companions,
      ClusterProperties cluster,
      Records records,
      SecureRandom random)
      throws IOException {
    IdentityFile file = new IdentityFile(settings, companions, random);
    return cluster.isShared() ? new ClusterIdentity(records).load(file) : file.load();
  }

  @Bean
  SecretSealer secretSealer(LocalKeyPair identityKey, SecureRandom random) {
    return new SecretSealer(identityKey, random);
  }

  @Bean
  SharedSecrets sharedSecrets(SecretSealer sealer, ClusterProperties cluster, Records records) {
    return new SealedSecrets(sealer, cluster.isShared() ? SealedSecrets.in(records) : null);
  }
}

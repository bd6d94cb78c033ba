package dev.vigil.gateway.coap.dtls;

import java.util.Map;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Keys and certificates of CoAPS. Raw public keys need no setting: a client is identified by its
 * key's thumbprint, and the gateway presents its identity key.
 *
 * @param psk pre-shared keys by DTLS identity, as text or as {@code hex:} and hexadecimal digits;
 *     never shown
 * @param keyFile a file with more pre-shared keys, {@code IDENTITY=KEY} on each line; only its
 *     owner may read it. Empty: none
 * @param certificate a PEM file with the gateway's certificate, for clients that want one: its own
 *     certificate first, then its issuers'; the key is P-256 or P-384. Empty: none
 * @param key a PEM file with the certificate's key; only its owner may read it
 * @param clientCa a PEM file of authorities: clients whose certificate one of them issued have the
 *     same rights as clients with a pre-shared key. Empty: certificates of clients are not
 *     requested
 */
public record DtlsProperties(
    @DefaultValue Map<String, String> psk,
    @DefaultValue("") String keyFile,
    @DefaultValue("") String certificate,
    @DefaultValue("") String key,
    @DefaultValue("") String clientCa) {

  public DtlsProperties {
    psk = Map.copyOf(psk);
    psk.forEach((identity, shared) -> PreSharedKeys.octets("coap.dtls.psk." + identity, shared));
  }

  public boolean hasCertificate() {
    return !certificate.isEmpty() || !key.isEmpty();
  }

  @Override
  public String toString() {
    return "DtlsProperties[psk=%s, keyFile=%s, certificate=%s, key=%s, clientCa=%s]"
        .formatted(psk.keySet(), keyFile, certificate, key, clientCa);
  }
}

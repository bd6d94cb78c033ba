package dev.vigil.gateway.config;

import java.util.Map;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whom CoAPS knows, and as whom it shows itself. Raw public keys need no setting: who has one is
 * who it says, and the gateway's own is its identity key.
 *
 * @param psk keys by DTLS identity, each as text or as {@code hex:} and hexadecimal digits. Never
 *     shown
 * @param keyFile more of them, a line {@code IDENTITY=KEY} each; only its owner may read it. Empty:
 *     none
 * @param certificate the gateway's, for clients that want one: a PEM file, its own certificate
 *     first, then its issuers'; of a P-256 or P-384 key. Empty: none
 * @param key of that certificate: a PEM file that only its owner may read
 * @param clientCa a PEM file of authorities: who comes with a certificate that one of them issued
 *     may read as one with a shared key may. Empty: certificates of clients are not asked for
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

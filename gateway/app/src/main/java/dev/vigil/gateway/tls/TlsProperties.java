package dev.vigil.gateway.tls;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The certificate of HTTPS; without one there is no HTTPS.
 *
 * @param certificate a PEM file: the gateway's own certificate first, then its issuers'
 * @param key a PEM file with the certificate's key; only its owner may read it
 * @param generate whether the gateway issues itself a certificate where none is given
 */
public record TlsProperties(
    @DefaultValue("") String certificate,
    @DefaultValue("") String key,
    @DefaultValue("false") boolean generate) {
  public boolean isOn() {
    return isGiven() || generate;
  }

  public boolean isGenerated() {
    return generate && !isGiven();
  }

  private boolean isGiven() {
    return !certificate.isEmpty() || !key.isEmpty();
  }
}

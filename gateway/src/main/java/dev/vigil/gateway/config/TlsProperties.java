package dev.vigil.gateway.config;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The certificate of HTTPS; without it there is no HTTPS.
 *
 * @param certificate a PEM file: the gateway's own certificate first, then its issuers'
 * @param key a PEM file with the certificate's key; only its owner may read it
 */
public record TlsProperties(@DefaultValue("") String certificate, @DefaultValue("") String key) {
  public boolean isOn() {
    return !certificate.isEmpty() || !key.isEmpty();
  }
}

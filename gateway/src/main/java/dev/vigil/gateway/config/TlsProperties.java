package dev.vigil.gateway.config;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * HTTPS; without a certificate there is none.
 *
 * @param certificate a PEM file: the gateway's own certificate first, then its issuers'
 * @param key of that certificate: a PEM file that only its owner may read
 */
public record TlsProperties(@DefaultValue("") String certificate, @DefaultValue("") String key) {
  public boolean isOn() {
    return !certificate.isEmpty() || !key.isEmpty();
  }
}

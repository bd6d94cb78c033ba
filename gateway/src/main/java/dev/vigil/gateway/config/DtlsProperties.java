package dev.vigil.gateway.config;

import java.util.Map;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whom CoAPS knows by a shared key. Raw public keys need no setting: who has one is who it says.
 *
 * @param psk keys by DTLS identity, each as text or as {@code hex:} and hexadecimal digits. Never
 *     shown
 * @param keyFile more of them, a line {@code IDENTITY=KEY} each; only its owner may read it. Empty:
 *     none
 */
public record DtlsProperties(
    @DefaultValue Map<String, String> psk, @DefaultValue("") String keyFile) {

  public DtlsProperties {
    psk = Map.copyOf(psk);
    psk.forEach((identity, key) -> PreSharedKeys.octets("coap.dtls.psk." + identity, key));
  }

  @Override
  public String toString() {
    return "DtlsProperties[psk=" + psk.keySet() + ", keyFile=" + keyFile + "]";
  }
}

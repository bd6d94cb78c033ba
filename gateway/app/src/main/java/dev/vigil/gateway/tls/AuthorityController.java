package dev.vigil.gateway.tls;

import java.io.IOException;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The generated authority's certificate, for clients to trust. It is public. */
@RestController
class AuthorityController {
  /** RFC 8555 section 9.1. */
  private static final String PEM = "application/pem-certificate-chain";

  private final ServerCertificate certificate;

  AuthorityController(ServerCertificate certificate) {
    this.certificate = certificate;
  }

  @GetMapping("/ca.pem")
  ResponseEntity<String> authority() throws IOException {
    return certificate
        .authorityPem()
        .map(pem -> ResponseEntity.ok().header("Content-Type", PEM).body(pem))
        .orElseGet(() -> ResponseEntity.notFound().build());
  }
}

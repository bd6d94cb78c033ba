package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Caller;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/** What a certificate says about its holder (RFC 5280 section 4.2.1.6). */
final class Certificates {
  private static final List<String> KINDS =
      List.of("other", "mail", "DNS", "X400", "directory", "EDI", "URI", "IP", "OID");

  private Certificates() {}

  /**
   * @param certificate was verified
   */
  static Caller.Identity identity(X509Certificate certificate) {
    Set<String> names = new HashSet<>();
    try {
      for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
        if (part.getType().equalsIgnoreCase("CN")) {
          names.add("CN:" + part.getValue());
        }
      }
      Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
      if (alternatives != null) {
        for (List<?> alternative : alternatives) {
          // What is no text (otherName) says nothing that two certificates could share.
          if (alternative.get(0) instanceof Integer kind
              && alternative.get(1) instanceof String name) {
            names.add(KINDS.get(kind) + ":" + name);
          }
        }
      }
    } catch (InvalidNameException | CertificateParsingException e) {
      return new Caller.Anonymous();
    }
    // Without any name nobody could be told from another.
    return names.isEmpty()
        ? new Caller.Anonymous()
        : new Caller.Certificate(certificate.getIssuerX500Principal().getName(), names);
  }
}

package dev.vigil.coap.message;

import dev.vigil.coap.exchange.Caller;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/** The names in a certificate (RFC 5280 section 4.2.1.6). */
final class CertificateNames {
  /** The GeneralName types, by their tags. */
  private static final List<String> TYPES =
      List.of("other", "mail", "DNS", "X400", "directory", "EDI", "URI", "IP", "OID");

  private CertificateNames() {}

  /**
   * @param certificate a certificate whose path was verified
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
          // Types that are not text (otherName) cannot be written in settings.
          if (alternative.get(0) instanceof Integer type
              && alternative.get(1) instanceof String name) {
            names.add(TYPES.get(type) + ":" + name);
          }
        }
      }
    } catch (InvalidNameException | CertificateParsingException e) {
      return new Caller.Anonymous();
    }
    // Without a name, holders of different certificates could not be distinguished.
    return names.isEmpty()
        ? new Caller.Anonymous()
        : new Caller.Certificate(certificate.getIssuerX500Principal().getName(), names);
  }
}

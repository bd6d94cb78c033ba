package dev.vigil.directory.registration;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.directory.catalogue.CatalogueEntry;
import dev.vigil.directory.publishing.Registration;

/**
 * A source whose address may be forged changes nothing. It may renew its registration as it is,
 * since many nodes that renew know no Echo (RFC 9175).
 */
final class UnverifiedChanges {
  private UnverifiedChanges() {}

  /**
   * Returns the registration, which keeps the verified registrant of the present one.
   *
   * @param present the registration that an unverified caller may only renew
   * @throws ErrorResponseException 4.01, which the CoAP server sends with an Echo option
   */
  static Registration require(
      Caller caller, CatalogueEntry.Content present, Registration registration) {
    if (caller.verified()
        || !(present.origin() instanceof Registration.Direct before)
        || !(registration.origin() instanceof Registration.Direct after)) {
      return registration;
    }
    boolean renews =
        before.base().equals(after.base())
            && before.stated() == after.stated()
            && before.link().equals(after.link())
            && before.simple() == after.simple()
            && present.lifetime() == registration.lifetime()
            && CapacityLimit.isRenewal(present, registration);
    if (!renews) {
      requireVerified(caller);
    }
    return new Registration(
        before, registration.lifetime(), registration.links(), registration.parameters());
  }

  /**
   * @throws ErrorResponseException 4.01, which the CoAP server sends with an Echo option
   */
  static void requireVerified(Caller caller) {
    if (!caller.verified()) {
      throw new ErrorResponseException(
          Code.UNAUTHORIZED, "a change needs a source address that is shown: repeat with Echo");
    }
  }
}

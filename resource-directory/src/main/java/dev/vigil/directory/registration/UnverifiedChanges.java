package dev.vigil.directory.registration;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Query;
import dev.vigil.directory.catalogue.CatalogueEntry;
import dev.vigil.directory.publishing.Registration;
import java.util.List;

/**
 * A source whose address may be forged must not change anything. It may renew its registration
 * unchanged, because many nodes that renew do not support Echo (RFC 9175).
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
    Registration.Origin origin =
        require(
            caller,
            present,
            registration.origin(),
            registration.lifetime(),
            registration.parameters());
    if (!caller.verified() && !CapacityLimit.isRenewal(present, registration)) {
      requireVerified(caller);
    }
    return new Registration(
        origin, registration.lifetime(), registration.links(), registration.parameters());
  }

  /**
   * As {@link #require(Caller, CatalogueEntry.Content, Registration)}, for a change of everything
   * except the links, which are not read.
   *
   * @return the origin, with the verified registrant of the present one
   */
  static Registration.Origin require(
      Caller caller,
      CatalogueEntry.Content present,
      Registration.Origin origin,
      long lifetime,
      List<Query.Parameter> parameters) {
    if (caller.verified()
        || !(present.origin() instanceof Registration.Direct before)
        || !(origin instanceof Registration.Direct after)) {
      return origin;
    }
    boolean renews =
        before.base().equals(after.base())
            && before.stated() == after.stated()
            && before.link().equals(after.link())
            && before.simple() == after.simple()
            && present.lifetime() == lifetime
            && present.parameters().equals(parameters);
    if (!renews) {
      requireVerified(caller);
    }
    return before;
  }

  /**
   * @throws ErrorResponseException 4.01, which the CoAP server sends with an Echo option
   */
  static void requireVerified(Caller caller) {
    if (!caller.verified()) {
      throw new ErrorResponseException(
          Code.UNAUTHORIZED, "a change needs a verified source address: repeat with Echo");
    }
  }
}

package dev.vigil.directory.registration;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.limits.Source;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.directory.catalogue.Catalogue;
import dev.vigil.directory.catalogue.CatalogueEntry;
import dev.vigil.directory.publishing.Registration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the catalogue's size in entries and in octets. Submitted changes that the catalogue does
 * not yet count are reserved at their upper bound. Safe for use by any number of threads.
 */
final class CapacityLimit {
  private static final long BUSY_SECONDS = 5;

  /** Upper bound of the catalogue's memory for an index value. */
  private static final long VALUE_OCTETS = 128;

  /** Upper bound of the catalogue's memory for an attribute name that no other link has. */
  private static final long ATTRIBUTE_OCTETS = 320;

  private final Catalogue catalogue;
  private final RegistrationLimits limits;
  private final AtomicLong reserved = new AtomicLong();

  CapacityLimit(Catalogue catalogue, RegistrationLimits limits) {
    this.catalogue = catalogue;
    this.limits = limits;
  }

  /**
   * Returns if there is capacity for the registration, or if it renews its entry unchanged.
   *
   * @param octets {@link #octetsAtMost}
   * @param known the present entry of the name
   * @return strangers' entries that give way to the registration and that {@link Eviction} has to
   *     remove
   * @throws ErrorResponseException 5.03; 4.01 for an unverified caller if unverified sources have
   *     used their half
   */
  List<CatalogueEntry> require(
      Caller caller, Registration registration, long octets, Optional<CatalogueEntry> known) {
    boolean countFits =
        known.isPresent() || catalogue.entryCount() < share(limits.registrations(), caller);
    long excess = catalogue.octets() + reserved.get() + octets - share(limits.octets(), caller);
    if (countFits && excess <= 0
        || known.filter(entry -> isRenewal(entry.content(), registration)).isPresent()) {
      return List.of();
    }
    if (!caller.verified()) {
      throw new ErrorResponseException(Code.UNAUTHORIZED, "repeat with Echo");
    }
    List<CatalogueEntry> victims =
        catalogue.evictFor(
            Source.of(caller),
            LinkFormat.write(registration.links()).length(),
            Math.max(1, excess));
    if (victims.isEmpty()) {
      throw new ErrorResponseException(
          Code.SERVICE_UNAVAILABLE, "the directory is full", BUSY_SECONDS);
    }
    return victims;
  }

  /** Whether the catalogue holds more than it may, for instance after a start with less memory. */
  boolean isExceeded() {
    return catalogue.octets() + reserved.get() > limits.octets()
        || catalogue.entryCount() > limits.registrations();
  }

  /** Unverified sources share half of the capacity, so that forged addresses cannot fill it. */
  private static long share(long limit, Caller caller) {
    return caller.verified() ? limit : limit / 2;
  }

  static boolean isRenewal(CatalogueEntry.Content content, Registration registration) {
    return content.links().equals(LinkFormat.write(registration.links()))
        && content.parameters().equals(registration.parameters());
  }

  /** Reserves capacity for a submitted change until the catalogue counts it or the change fails. */
  void reserve(long octets) {
    reserved.addAndGet(octets);
  }

  void release(long octets) {
    reserved.addAndGet(-octets);
  }

  /**
   * An upper bound of the catalogue's memory for a registration, assuming that it shares no value.
   */
  static long octetsAtMost(Registration registration) {
    long octets = VALUE_OCTETS + ATTRIBUTE_OCTETS * registration.parameters().size();
    for (Link link : registration.links()) {
      octets += VALUE_OCTETS + 3L * link.target().length();
      for (Link.Attribute attribute : link.attributes()) {
        octets += ATTRIBUTE_OCTETS + 3L * attribute.text().length();
        octets += VALUE_OCTETS * countSpaces(attribute.text());
      }
    }
    return octets;
  }

  /** Each space may separate two values of the attribute. */
  private static int countSpaces(String text) {
    int spaces = 0;
    for (int at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) {
      spaces++;
    }
    return spaces;
  }
}

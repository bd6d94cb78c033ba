package dev.vigil.directory;

import dev.vigil.directory.catalogue.Catalogue;
import dev.vigil.directory.catalogue.Entry;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.link.Link;
import dev.vigil.directory.link.LinkFormat;
import dev.vigil.directory.registration.Registration;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether the directory has room for a registration: by number and by octets, those underway to the
 * catalogue counted as if no other entry had anything like them. Any number of threads.
 */
final class Room {
  private static final long BUSY_SECONDS = 5;

  /** What the catalogue counts for a value, and for an attribute with a name of its own. */
  private static final long OF_VALUE = 128;

  private static final long OF_ATTRIBUTE = 320;

  private final Catalogue catalogue;
  private final DirectoryConfig config;
  private final AtomicLong underway = new AtomicLong();

  Room(Catalogue catalogue, DirectoryConfig config) {
    this.catalogue = catalogue;
    this.config = config;
  }

  /**
   * In a full directory what is there can be renewed as it is; nothing else is taken.
   *
   * @param octets {@link #octetsAtMost}
   * @param known what the name has now
   * @throws ExchangeException 5.03; 4.01 to a stranger when strangers have their half
   */
  void require(Caller caller, Registration registration, long octets, Optional<Entry> known) {
    boolean one = known.isPresent() || catalogue.held() < share(config.maxRegistrations(), caller);
    boolean fits =
        catalogue.octets() + underway.get() + octets <= share(config.maxOctets(), caller);
    if (!one || !fits && known.filter(e -> saysTheSame(e.content(), registration)).isEmpty()) {
      throw caller.verified()
          ? new ExchangeException(Code.SERVICE_UNAVAILABLE, "the directory is full", BUSY_SECONDS)
          : new ExchangeException(Code.UNAUTHORIZED, "repeat with Echo");
    }
  }

  /** Invented addresses must not take all: those who have not shown theirs have half. */
  private static long share(long most, Caller caller) {
    return caller.verified() ? most : most / 2;
  }

  private static boolean saysTheSame(Entry.Content content, Registration registration) {
    byte[] links = LinkFormat.write(registration.links()).getBytes(StandardCharsets.UTF_8);
    return Arrays.equals(content.links(), links)
        && content.parameters().equals(registration.parameters());
  }

  /** A change has set out that adds so much at most; less than 0 when it has come, or failed. */
  void underway(long octets) {
    underway.addAndGet(octets);
  }

  /** What a registration takes of the catalogue if no other has anything like it. */
  static long octetsAtMost(Registration registration) {
    long octets = OF_VALUE + OF_ATTRIBUTE * registration.parameters().size();
    for (Link link : registration.links()) {
      octets += OF_VALUE + 3L * link.target().length();
      for (Link.Attribute attribute : link.attributes()) {
        octets += OF_ATTRIBUTE + 3L * attribute.text().length();
        octets += OF_VALUE * spaces(attribute.text());
      }
    }
    return octets;
  }

  /** Between the values of one attribute. */
  private static int spaces(String text) {
    int spaces = 0;
    for (int at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) {
      spaces++;
    }
    return spaces;
  }
}

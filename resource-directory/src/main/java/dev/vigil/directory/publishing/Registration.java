package dev.vigil.directory.publishing;

import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.link.Link;
import dev.vigil.coap.link.LinkFormat;
import dev.vigil.coap.link.LinkFormatException;
import dev.vigil.store.Fact;
import dev.vigil.store.StoreException;
import java.util.List;
import java.util.Optional;

/**
 * One endpoint's registration, as a fact of slot {@link #SLOT}. The {@link dev.vigil.store.Change}
 * that carries the fact supplies its time, endpoint name and id.
 *
 * @param lifetime seconds from the change, 1 to 2^32-1
 * @param links as the endpoint wrote them; relative references resolve against the endpoint
 * @param parameters the registration's further parameters ({@code et=...}) in their order; never
 *     {@code ep}, {@code d}, {@code lt} or {@code base}
 */
public record Registration(
    Origin origin, long lifetime, List<Link> links, List<Query.Parameter> parameters) {
  public static final String SLOT = "rd";
  public static final long LONGEST_LIFETIME = 0xffff_ffffL;

  /** The server of the endpoint's resources. */
  public sealed interface Origin {}

  /**
   * The endpoint itself serves its resources.
   *
   * @param base scheme and authority against which the links are resolved
   * @param stated whether the registration named the base; if not, it is the source address
   * @param registrant who may change the registration
   * @param link the network interface of a link-local base, else empty
   * @param simple whether it came by {@code /.well-known/rd}. The registrant then does not know its
   *     location and cannot renew it, so it has no grace period (RFC 9176 section 5.1)
   */
  public record Direct(
      String base, boolean stated, Registrant registrant, String link, boolean simple)
      implements Origin {
    public Direct(String base) {
      this(base, true, Registrant.UNKNOWN, "", false);
    }
  }

  /**
   * Another service answers for the endpoint, at the {@link PublishedLocation}.
   *
   * @param jkt the thumbprint (RFC 7638) of the key that signs the endpoint's values
   */
  public record Published(String jkt) implements Origin {}

  public Registration {
    links = List.copyOf(links);
    parameters = List.copyOf(parameters);
    if (lifetime < 1 || lifetime > LONGEST_LIFETIME) {
      throw new IllegalArgumentException("a lifetime of " + lifetime + " s");
    }
  }

  public Fact toFact() {
    return new Fact(SLOT, 1, StoredRegistrationJson.write(this));
  }

  /**
   * @throws StoreException if {@link #toFact()} did not write the body
   */
  public static Registration fromFact(byte[] body) {
    return StoredRegistrationJson.read(body).parsed();
  }

  /**
   * A registration as the store holds it, with unparsed links; projections keep this form.
   *
   * @param links link format, as {@link LinkFormat#write} wrote it
   */
  public record Stored(
      Origin origin, long lifetime, String links, List<Query.Parameter> parameters) {
    /**
     * @throws StoreException if {@link #toFact()} did not write the body
     */
    public static Stored fromFact(byte[] body) {
      return StoredRegistrationJson.read(body);
    }

    Registration parsed() {
      try {
        return new Registration(
            origin, lifetime, LinkFormat.parse(links, LinkFormat.Limits.NONE), parameters);
      } catch (LinkFormatException | IllegalArgumentException e) {
        throw new StoreException("a registration in the store cannot be read", e);
      }
    }
  }

  public Optional<String> parameter(String name) {
    return parameters.stream()
        .filter(p -> p.name().equals(name))
        .map(Query.Parameter::value)
        .findFirst();
  }
}

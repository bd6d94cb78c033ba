package dev.vigil.directory.registration;

import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.link.Link;
import dev.vigil.directory.link.LinkFormat;
import dev.vigil.directory.link.LinkFormatException;
import dev.vigil.directory.state.Fact;
import dev.vigil.directory.state.StoreException;
import java.util.List;
import java.util.Optional;

/**
 * One endpoint's registration, as a fact of slot {@link #SLOT}. Its time is that of the change that
 * carries the fact, its name that of the endpoint, its id the endpoint's.
 *
 * @param lifetime seconds from the change on, 1 to 2^32-1
 * @param links as the endpoint wrote them: relative references are its own
 * @param parameters what else it told about itself ({@code et=...}), in its order; neither {@code
 *     ep}, {@code d}, {@code lt} nor {@code base}
 */
public record Registration(
    Origin origin, long lifetime, List<Link> links, List<Query.Parameter> parameters) {
  public static final String SLOT = "rd";
  public static final long LONGEST_LIFETIME = 0xffff_ffffL;

  /** Who holds the resources. */
  public sealed interface Origin {}

  /**
   * The endpoint itself answers.
   *
   * @param base scheme and authority its links are resolved against
   * @param stated whether the registration named the base, or it was taken from the source address
   * @param owner what the registrant proved about itself, empty when nothing: only the same may
   *     change the registration (RFC 9176 section 7.5)
   * @param link the network interface that a link-local base belongs to, else empty
   * @param simple whether it came by {@code /.well-known/rd}: nobody was told its location, so it
   *     goes with its lifetime (RFC 9176 section 5.1)
   */
  public record Direct(String base, boolean stated, String owner, String link, boolean simple)
      implements Origin {
    public Direct(String base) {
      this(base, true, "", "", false);
    }
  }

  /**
   * The mirror answers for it below {@code /ms/{id}}.
   *
   * @param jkt the thumbprint of the key its updates are signed with
   */
  public record Mirrored(String jkt) implements Origin {}

  public Registration {
    links = List.copyOf(links);
    parameters = List.copyOf(parameters);
    if (lifetime < 1 || lifetime > LONGEST_LIFETIME) {
      throw new IllegalArgumentException("a lifetime of " + lifetime + " s");
    }
  }

  public Fact toFact() {
    return new Fact(SLOT, 1, RegistrationJson.write(this));
  }

  /**
   * @throws StoreException when the body is not one that {@link #toFact()} wrote
   */
  public static Registration fromFact(byte[] body) {
    return RegistrationJson.read(body).parsed();
  }

  /**
   * A registration as it lies in the store, its links not parsed: what a projection keeps.
   *
   * @param links link format, as {@link LinkFormat#write} wrote it
   */
  public record Stored(
      Origin origin, long lifetime, String links, List<Query.Parameter> parameters) {
    /**
     * @throws StoreException when the body is not one that {@link #toFact()} wrote
     */
    public static Stored fromFact(byte[] body) {
      return RegistrationJson.read(body);
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

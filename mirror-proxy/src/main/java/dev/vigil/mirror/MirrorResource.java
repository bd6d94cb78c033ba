package dev.vigil.mirror;

import dev.vigil.directory.exchange.Access;
import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Resource;
import dev.vigil.directory.exchange.Response;
import dev.vigil.directory.link.Link;
import dev.vigil.directory.link.LinkFormat;
import dev.vigil.mirror.jose.Jws;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** {@code /ms/{id}} and what lies below it. */
final class MirrorResource implements Resource {
  private static final int ID_SEGMENTS = 2;

  private final Memory memory;
  private final Unproven unproven;
  private final Map<String, Domain> domains;
  private final Access access;
  private final Updater updater;
  private final Commander commander;
  private final ValueReader reader;
  private final Refusals refusals;
  private final Clock clock;

  MirrorResource(
      Memory memory,
      Unproven unproven,
      Map<String, Domain> domains,
      Access access,
      Updater updater,
      Commander commander,
      ValueReader reader,
      Refusals refusals,
      Clock clock) {
    this.memory = memory;
    this.unproven = unproven;
    this.domains = domains;
    this.access = access;
    this.updater = updater;
    this.commander = commander;
    this.reader = reader;
    this.refusals = refusals;
    this.clock = clock;
  }

  @Override
  public CompletableFuture<Response> answer(Request request) {
    Target target = target(request.path().get(1));
    String id = target == null ? "" : target.id();
    return refusals.answering(id, () -> answer(request, target));
  }

  private CompletableFuture<Response> answer(Request request, @Nullable Target target) {
    if (target == null) {
      throw new Rejection(Reason.NO_ENTRY, "no such endpoint, or its registration ran out");
    }
    List<String> below = request.path().subList(ID_SEGMENTS, request.path().size());
    return switch (request.method()) {
      case GET ->
          CompletableFuture.completedFuture(
              below.isEmpty() ? entry(request, target) : value(request, target, below));
      case PUT -> put(request, target, below);
      case POST, DELETE -> throw new Rejection(Reason.NOT_ALLOWED, "GET or PUT");
    };
  }

  private @Nullable Target target(String id) {
    long now = clock.instant().getEpochSecond();
    Mirrored known = memory.byId(id);
    if (known != null) {
      Domain domain = domains.get(known.name().d());
      KeyRing ring = known.ring();
      Lease lease = known.lease();
      return domain == null || ring == null || lease == null || !known.live(now)
          ? null
          : new Target(known.id(), domain, ring, lease, known.high(), known, null);
    }
    Unproven.Waiting waiting = unproven.get(id, now);
    if (waiting == null) {
      return null;
    }
    Claim claim = waiting.claim();
    KeyRing ring = KeyRing.of(claim.key(), TrustState.UNPROVEN, null);
    return new Target(id, claim.domain(), ring, claim.lease(), waiting.high(), null, waiting);
  }

  private CompletableFuture<Response> put(Request request, Target target, List<String> below) {
    if (below.isEmpty()) {
      throw new Rejection(Reason.NOT_ALLOWED, "put to a resource of the endpoint");
    }
    String path = Paths.canonical(below);
    if (request.payload().length > target.domain().limits().payload()) {
      throw new Rejection(
          Reason.TOO_LARGE, "at most " + target.domain().limits().payload() + " octets");
    }
    Jws jws =
        request.format() == ContentFormat.JOSE && !Jws.looksEncrypted(request.payload())
            ? Jws.parse(request.payload())
            : null;
    // What a PUT is, its typ decides, never the key alone.
    if (jws == null || !Commander.TYPE.equals(jws.header().typ())) {
      return updater.update(request, jws, target, path);
    }
    access.require(request.caller(), Access.Action.COMMAND, target.domain().name());
    return commander.queue(request.caller(), jws, target, path);
  }

  private Response value(Request request, Target target, List<String> below) {
    String path = Paths.canonical(below);
    String command =
        request.query().parameters().isEmpty() ? "" : request.query().single("command").orElse("");
    if (!command.isEmpty()) {
      return command(request.caller(), target, path, command);
    }
    access.require(request.caller(), Access.Action.READ, target.domain().name());
    return reader.read(request, target, path);
  }

  /** A command as its commander signed it: open to all, for a mote has no other credentials. */
  private Response command(Caller caller, Target target, String path, String number) {
    boolean decimal = number.length() < 18 && number.chars().allMatch(c -> c >= '0' && c <= '9');
    Mirrored known = target.known();
    CommandQueue.Command found =
        known == null || !decimal
            ? null
            : commander.fetch(caller, known, path, Long.parseLong(number));
    if (found == null) {
      throw new Rejection(Reason.NO_ENTRY, "no such command waits");
    }
    return Response.content(ContentFormat.JOSE, found.jws()).withMaxAge(0);
  }

  private Response entry(Request request, Target target) {
    Mirrored known = target.known();
    CommandQueue queue =
        known == null || known.commands() == null ? CommandQueue.EMPTY : known.commands();
    if (request.query().has("pending")) {
      return pending(target, queue);
    }
    if (request.query().has("commands")) {
      return commands(request, target, queue);
    }
    access.require(request.caller(), Access.Action.LOOK_UP, target.domain().name());
    if (known == null || target.ring().state() != TrustState.TRUSTED) {
      throw new Rejection(Reason.NO_ENTRY, "the endpoint is not trusted (yet)");
    }
    List<Link> links = Links.published(known.id(), target.lease().links(), target.ring().jkt());
    return Response.content(ContentFormat.LINK_FORMAT, LinkFormat.write(links))
        .observable(Memory.topic(known.id()));
  }

  /** The last number is for whoever is to sign the next; how far each got, for readers. */
  private Response commands(Request request, Target target, CommandQueue queue) {
    ContentFormat format = request.choose(List.of(ContentFormat.TEXT, ContentFormat.JSON));
    if (format == ContentFormat.TEXT) {
      return Response.content(format, Long.toString(queue.last())).withMaxAge(0);
    }
    access.require(request.caller(), Access.Action.READ, target.domain().name());
    return Response.content(format, commander.told(queue))
        .withMaxAge(0)
        .observable(Memory.topic(target.id()));
  }

  /** Oldest first; each link leads to the command itself. */
  private Response pending(Target target, CommandQueue queue) {
    List<Link> links =
        queue.waiting(clock.instant().getEpochSecond()).stream()
            .map(
                c ->
                    Link.to("/ms/" + target.id() + "/" + c.path() + "?command=" + c.seq())
                        .with("ct", Integer.toString(ContentFormat.JOSE.number())))
            .toList();
    return Response.content(ContentFormat.LINK_FORMAT, LinkFormat.write(links))
        .withMaxAge(0)
        .observable(Memory.topic(target.id()));
  }
}

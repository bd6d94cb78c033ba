package dev.vigil.mirror;

import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Resource;
import dev.vigil.directory.exchange.Response;
import dev.vigil.mirror.jose.Jwk;
import dev.vigil.mirror.wire.Reason;
import dev.vigil.mirror.wire.Rejection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** {@code /keys/{jkt}}, and {@code /keys/mirror} for our own. Public keys are for everybody. */
final class KeyResource implements Resource {
  private static final String MIRROR = "mirror";
  private static final int SEGMENTS = 2;

  private final Memory memory;
  private final Map<String, Domain> domains;
  private final Jwk identity;
  private final Refusals refusals;

  KeyResource(Memory memory, Map<String, Domain> domains, Jwk identity, Refusals refusals) {
    this.memory = memory;
    this.domains = domains;
    this.identity = identity;
    this.refusals = refusals;
  }

  @Override
  public CompletableFuture<Response> answer(Request request) {
    return refusals.answering("", () -> CompletableFuture.completedFuture(key(request)));
  }

  private Response key(Request request) {
    if (request.method() != Method.GET) {
      throw new Rejection(Reason.NOT_ALLOWED, "GET");
    }
    String jkt = request.path().get(1);
    if (memory.isRevoked(jkt)) {
      throw new Rejection(Reason.NOT_TRUSTED, "the key is revoked");
    }
    Jwk key = request.path().size() == SEGMENTS ? find(jkt) : null;
    if (key == null) {
      throw new Rejection(Reason.NO_ENTRY, "no such key");
    }
    ContentFormat format = request.choose(List.of(ContentFormat.JWK, ContentFormat.JSON));
    return Response.content(format, key.json());
  }

  /** A key of ours, of an endpoint now or before, or listed; revoked ones too. */
  @Nullable Jwk find(String jkt) {
    if (jkt.equals(MIRROR) || jkt.equals(identity.thumbprint())) {
      return identity;
    }
    Mirrored owner = memory.byKey(jkt);
    KeyRing ring = owner == null ? null : owner.ring();
    if (ring != null && ring.jkt().equals(jkt)) {
      return ring.key();
    }
    if (ring != null) {
      for (Jwk old : ring.previous()) {
        if (old.thumbprint().equals(jkt)) {
          return old;
        }
      }
    }
    return listed(jkt);
  }

  private @Nullable Jwk listed(String jkt) {
    for (String domain : domains.keySet()) {
      ListedKey listed = memory.listed(domain).get(jkt);
      if (listed != null && listed.key() != null) {
        return listed.key();
      }
    }
    return null;
  }
}

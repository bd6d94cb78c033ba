package dev.vigil.mirror.trust;

import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Resource;
import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.MirroredEndpoint;
import dev.vigil.mirror.model.keys.KeyHistory;
import dev.vigil.mirror.model.keys.ListedKey;
import dev.vigil.mirror.refusal.Reason;
import dev.vigil.mirror.refusal.RefusalMapper;
import dev.vigil.mirror.refusal.RequestRefused;
import dev.vigil.mirror.state.MirrorState;
import dev.vigil.signed.jose.Jwk;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** {@code GET /keys/{jkt}} and {@code /keys/mirror}: public keys, readable by anyone. */
public final class KeyResource implements Resource {
  private static final String MIRROR = "mirror";
  private static final int SEGMENTS = 2;

  private final MirrorState state;
  private final Map<String, Domain> domains;
  private final Jwk identity;
  private final RefusalMapper refusalMapper;

  public KeyResource(
      MirrorState state, Map<String, Domain> domains, Jwk identity, RefusalMapper refusalMapper) {
    this.state = state;
    this.domains = domains;
    this.identity = identity;
    this.refusalMapper = refusalMapper;
  }

  @Override
  public CompletableFuture<Response> answer(Request request) {
    return refusalMapper.answer("", () -> CompletableFuture.completedFuture(key(request)));
  }

  private Response key(Request request) {
    if (request.method() != Method.GET) {
      throw new RequestRefused(Reason.NOT_ALLOWED, "GET");
    }
    String jkt = request.path().get(1);
    if (state.isRevoked(jkt)) {
      throw new RequestRefused(Reason.NOT_TRUSTED, "the key is revoked");
    }
    Jwk key = request.path().size() == SEGMENTS ? find(jkt) : null;
    if (key == null) {
      throw new RequestRefused(Reason.NO_ENTRY, "no such key");
    }
    ContentFormat format = request.choose(List.of(ContentFormat.JWK, ContentFormat.JSON));
    return Response.content(format, JwkCodec.write(key));
  }

  /** The mirror's key, a present or former key of an endpoint, or a listed key; also if revoked. */
  public @Nullable Jwk find(String jkt) {
    if (jkt.equals(MIRROR) || jkt.equals(identity.thumbprint())) {
      return identity;
    }
    MirroredEndpoint owner = state.byKey(jkt);
    KeyHistory keys = owner == null ? null : owner.keys();
    if (keys != null) {
      if (keys.jkt().equals(jkt)) {
        return keys.key();
      }
      for (Jwk old : keys.previous()) {
        if (old.thumbprint().equals(jkt)) {
          return old;
        }
      }
    }
    return listed(jkt);
  }

  private @Nullable Jwk listed(String jkt) {
    for (String domain : domains.keySet()) {
      ListedKey listed = state.listed(domain).get(jkt);
      if (listed != null && listed.key() != null) {
        return listed.key();
      }
    }
    return null;
  }
}

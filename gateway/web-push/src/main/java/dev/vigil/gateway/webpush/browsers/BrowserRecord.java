package dev.vigil.gateway.webpush.browsers;

import dev.vigil.gateway.northbound.Language;
import dev.vigil.gateway.records.Secret;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A browser that gets notifications; its id is the hash of its address.
 *
 * @param account that sees the notifications
 * @param accountMade the time at which the account was made; a later account of the same name is
 *     another one. Null in records of older versions
 * @param session id of the session that subscribed it; when a user ends this session, the browser
 *     gets nothing any more
 * @param address of the push service for this browser; whoever knows it can disturb the browser
 * @param p256dh public key of the browser, base64url
 * @param auth secret of the browser, base64url
 * @param vapid public key of the gateway for which the browser subscribed
 * @param language of the notifications
 * @param client the browser's User-Agent
 */
record BrowserRecord(
    String account,
    @Nullable Instant accountMade,
    String session,
    @Secret String address,
    @Secret String p256dh,
    @Secret String auth,
    String vapid,
    Language language,
    String client,
    Instant createdAt) {
  @Override
  public String toString() {
    return "BrowserRecord[not shown]";
  }
}

package dev.vigil.gateway.http;

import dev.vigil.directory.exchange.Caller;
import java.net.InetAddress;

/** What an Authorization header proves. */
@FunctionalInterface
public interface Credentials {
  /**
   * @param authorization the header as it came
   * @param source who sent it
   * @throws dev.vigil.directory.exchange.ExchangeException 4.01 when it proves nothing, 4.29 when
   *     its source has tried too often
   */
  Caller.Identity identify(String authorization, InetAddress source);
}

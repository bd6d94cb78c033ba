package dev.vigil.gateway.webpush.browsers;

import dev.vigil.coap.exchange.Access;
import dev.vigil.gateway.northbound.AlarmNotices;
import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.DestinationSource;
import dev.vigil.gateway.webpush.PushClient;
import dev.vigil.gateway.webpush.VapidKey;
import dev.vigil.gateway.webpush.WebPushProperties;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The delivery to browsers, if the settings switch it on. */
@Component
class PushDestinations implements DestinationSource {
  private final Optional<PushDestination> destination;

  /**
   * @throws IOException with a message that begins with "cannot" and names a file of the settings
   */
  PushDestinations(
      WebPushProperties settings,
      VapidKey key,
      Browsers browsers,
      AlarmNotices alarms,
      Access access,
      SecureRandom random,
      Clock clock)
      throws IOException {
    this.destination =
        settings.isOn()
            ? Optional.of(
                new PushDestination(
                    browsers,
                    new PushClient(settings, key, random, clock),
                    alarms,
                    settings.severity(),
                    access,
                    clock))
            : Optional.empty();
  }

  @Override
  public List<Destination> all() {
    return List.copyOf(destination.stream().toList());
  }

  Optional<PushDestination> destination() {
    return destination;
  }
}

package dev.vigil.gateway.northbound.email;

import dev.vigil.gateway.northbound.AlarmNotices;
import dev.vigil.gateway.northbound.Destination;
import dev.vigil.gateway.northbound.DestinationSettings;
import dev.vigil.gateway.northbound.DestinationSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** The receivers of alarm e-mails in the settings. */
@Component
class EmailDestinations implements DestinationSource {
  private final List<Destination> destinations = new ArrayList<>();

  /**
   * @throws IOException with a message that begins with "cannot" and names a file of the settings
   */
  EmailDestinations(DestinationSettings<EmailProperties> settings, AlarmNotices alarms)
      throws IOException {
    for (Map.Entry<String, EmailProperties> entry : new TreeMap<>(settings.byName()).entrySet()) {
      String name = entry.getKey();
      SmtpClient client = new SmtpClient("northbound.email." + name, entry.getValue());
      destinations.add(new EmailDestination(name, entry.getValue(), client, alarms));
    }
  }

  @Override
  public List<Destination> all() {
    return List.copyOf(destinations);
  }
}

package dev.vigil.gateway.coap;

import java.net.InetSocketAddress;
import java.util.List;
import org.eclipse.californium.scandium.DTLSConnector;
import org.eclipse.californium.scandium.config.DtlsConnectorConfig;
import org.eclipse.californium.scandium.dtls.Record;

/** Scandium's server, which has its {@link Hellos} looked at first. */
final class DtlsServer extends DTLSConnector {
  private final Hellos hellos;

  /**
   * @param hellos of this server alone, known to the configuration's session listener
   */
  DtlsServer(DtlsConnectorConfig configuration, Hellos hellos) {
    super(configuration);
    this.hellos = hellos;
  }

  @Override
  protected void processRecords(
      List<Record> records, InetSocketAddress peer, InetSocketAddress router) {
    Record first = records.getFirst();
    if (records.size() == 1 && first.isNewClientHello()) {
      hellos.note(peer, first);
    }
    super.processRecords(records, peer, router);
  }
}

package dev.vigil.gateway.evaluate;

import dev.vigil.border.cost.Configuration;
import dev.vigil.border.cost.Scenario;
import dev.vigil.border.cost.SecurityCost;
import dev.vigil.border.cost.Transport;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.gateway.evaluate.tables.Experiment;
import dev.vigil.gateway.evaluate.tables.How;
import dev.vigil.gateway.evaluate.tables.Plot;
import dev.vigil.gateway.evaluate.tables.Row;
import dev.vigil.gateway.evaluate.tables.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * Raza 2011, figure 8; thesis, figures 30 to 32, 37 and 38: energy over size and hops. The papers
 * give curves of whole runs. The order of our curves and the equal cost of each hop follow from the
 * model and prove nothing; {@link RadioDutyCycle} measures both.
 */
final class RazaEnergy implements Experiment {
  private static final List<Integer> SIZES = List.of(8, 16, 32, 64);
  private static final int MOST_HOPS = 6;
  private static final List<Transport> TRANSPORTS =
      List.of(Transport.NONE, Transport.AH_XCBC, Transport.ESP_CTR_XCBC);

  @Override
  public List<String> tables() {
    return List.of("raza-8", "thesis-32");
  }

  @Override
  public boolean isQuick() {
    return true;
  }

  @Override
  public List<Table> run() {
    return List.of(bySize(), byHops());
  }

  private static Table bySize() {
    List<Row> rows = new ArrayList<>();
    for (int size : SIZES) {
      double none = energy(size, 1, Transport.NONE);
      double ah = energy(size, 1, Transport.AH_XCBC);
      double esp = energy(size, 1, Transport.ESP_CTR_XCBC);
      rows.add(Row.beside(size + " B, no IPsec", null, none, "µJ", How.MODEL));
      rows.add(Row.beside(size + " B, link security", null, link(size), "µJ", How.MODEL));
      rows.add(Row.beside(size + " B, AH", null, ah, "µJ", How.MODEL));
      rows.add(Row.beside(size + " B, ESP", null, esp, "µJ", How.MODEL));
    }
    return new Table(
        "raza-8",
        "energy of a mote for one packet over its size, one hop",
        rows,
        List.of(
            plot("raza-8.svg", "Energy of a packet, one hop", "octets of payload", SIZES, true)));
  }

  private static Table byHops() {
    List<Row> rows = new ArrayList<>();
    for (Transport transport : TRANSPORTS) {
      // The first relayed hop against the last: the compressed hop limit differs in the first.
      double early = energy(16, 3, transport) - energy(16, 2, transport);
      double late = energy(16, MOST_HOPS, transport) - energy(16, MOST_HOPS - 1, transport);
      rows.add(
          Row.beside(
              transport.label() + ", 6 hops",
              null,
              energy(16, MOST_HOPS, transport),
              "µJ",
              How.MODEL));
      rows.add(
          Row.beside(
              transport.label() + ", the sixth hop beside the third",
              1.0,
              late / early,
              "",
              How.MODEL));
    }
    return new Table(
        "thesis-32",
        "energy of the whole network for one packet of 16 octets over the hops",
        rows,
        List.of(
            plot(
                "thesis-32.svg",
                "Energy of a packet of 16 octets",
                "hops",
                List.of(1, 2, 3, 4, 5, 6),
                false)));
  }

  private static Plot plot(
      String file, String title, String xLabel, List<Integer> places, boolean sizes) {
    List<Plot.Line> lines = new ArrayList<>();
    for (Transport transport : TRANSPORTS) {
      List<Plot.Point> points = new ArrayList<>();
      for (int x : places) {
        points.add(new Plot.Point(x, sizes ? energy(x, 1, transport) : energy(16, x, transport)));
      }
      lines.add(new Plot.Line(transport.label(), points));
    }
    return new Plot(file, title, xLabel, "µJ", lines);
  }

  private static double energy(int size, int hops, Transport transport) {
    return energy(size, hops, new Configuration(SecurityLevel.NONE, transport, false));
  }

  /** Link security alone, encrypting and with a MIC of 4 octets. */
  private static double link(int size) {
    return energy(size, 1, new Configuration(SecurityLevel.ENC_MIC_32, Transport.NONE, false));
  }

  private static double energy(int size, int hops, Configuration configuration) {
    return SecurityCost.DEFAULT
        .of(new Scenario(size, false, hops, 60, 2000), configuration)
        .microjoules();
  }
}

package dev.vigil.border.bridge;

import dev.vigil.border.config.MeshConfig;
import dev.vigil.border.config.RadioConfig;
import dev.vigil.border.ether.Ether;
import dev.vigil.border.ether.EtherSettings;
import dev.vigil.border.ether.Topology;
import dev.vigil.border.ether.ZepRadio;
import dev.vigil.border.radio.RadioLink;
import dev.vigil.border.radio.SlipRadio;
import dev.vigil.border.radio.TunslipLink;
import dev.vigil.border.slip.TunslipSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Opens the radio that one entry of the configuration describes. */
final class RadioOpener {
  private final MeshConfig mesh;
  private final LongSupplier nanoTime;
  private final RandomGenerator random;

  RadioOpener(MeshConfig mesh, LongSupplier nanoTime, RandomGenerator random) {
    this.mesh = mesh;
    this.nanoTime = nanoTime;
    this.random = random;
  }

  /** A radio that carries frames. */
  RadioLink radio(RadioConfig radio) throws IOException {
    return switch (radio) {
      case RadioConfig.Virtual virtual -> {
        EtherSettings settings =
            EtherSettings.on(virtual.port())
                .withTopology(topology(virtual.topology()))
                .withOctetNanos(virtual.octetNanos());
        Ether ether = new Ether(settings, nanoTime, random);
        yield ether.localRadio(mesh.eui64(), mesh.panId(), mesh.channel());
      }
      case RadioConfig.Zep(String host, int port) ->
          new ZepRadio(host, port, mesh.eui64(), mesh.panId(), mesh.channel(), nanoTime);
      case RadioConfig.Serial(String device, int baud) ->
          SlipRadio.serial(device, baud, mesh.panId(), mesh.channel(), nanoTime);
      case RadioConfig.Tcp(String host, int port) ->
          SlipRadio.tcp(host, port, mesh.panId(), mesh.channel(), nanoTime);
      case RadioConfig.Tunslip6 ignored ->
          throw new IllegalArgumentException("tunslip6 carries packets, not frames");
    };
  }

  /** A board that carries packets. */
  TunslipLink tunslip(RadioConfig line, TunslipSession.Listener listener) {
    return switch (line) {
      case RadioConfig.Serial(String device, int baud) ->
          TunslipLink.serial(device, baud, mesh.prefix(), listener, nanoTime);
      case RadioConfig.Tcp(String host, int port) ->
          TunslipLink.tcp(host, port, mesh.prefix(), listener, nanoTime);
      case RadioConfig.Tunslip6(RadioConfig inner) -> tunslip(inner, listener);
      case RadioConfig.Virtual ignored -> throw noLine();
      case RadioConfig.Zep ignored -> throw noLine();
    };
  }

  private static IllegalArgumentException noLine() {
    return new IllegalArgumentException("tunslip6 needs a serial port or TCP");
  }

  private static Topology topology(@Nullable Path file) throws IOException {
    try {
      return file == null ? Topology.everyone() : Topology.parse(Files.readString(file));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }
}

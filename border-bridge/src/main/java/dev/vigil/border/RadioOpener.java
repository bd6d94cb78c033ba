package dev.vigil.border;

import dev.vigil.border.ether.Ether;
import dev.vigil.border.ether.EtherSettings;
import dev.vigil.border.ether.Topology;
import dev.vigil.border.ether.ZepRadio;
import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.radio.PacketLink;
import dev.vigil.border.radio.RadioLink;
import dev.vigil.border.radio.SlipRadio;
import dev.vigil.border.slip.TunslipSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Opens what one line of the configuration names. */
final class RadioOpener {
  private RadioOpener() {}

  /** A radio that carries frames. */
  static RadioLink frames(
      RadioConfig radio, BridgeConfig config, LongSupplier nanoTime, RandomGenerator random)
      throws IOException {
    return switch (radio) {
      case RadioConfig.Virtual virtual -> {
        EtherSettings settings =
            EtherSettings.on(virtual.port())
                .with(topology(virtual.topology()))
                .withOctetNanos(virtual.octetNanos());
        Ether ether = new Ether(settings, nanoTime, random);
        yield ether.own(config.eui64(), config.panId(), config.channel());
      }
      case RadioConfig.Zep(String host, int port) ->
          new ZepRadio(host, port, config.eui64(), config.panId(), config.channel(), nanoTime);
      case RadioConfig.Serial(String device, int baud) ->
          SlipRadio.serial(device, baud, config.panId(), config.channel(), nanoTime);
      case RadioConfig.Tcp(String host, int port) ->
          SlipRadio.tcp(host, port, config.panId(), config.channel(), nanoTime);
      case RadioConfig.Tunslip6 ignored ->
          throw new IllegalArgumentException("tunslip6 carries packets, not frames");
    };
  }

  /** A board that carries packets. */
  static PacketLink packets(
      RadioConfig line, Ipv6Address prefix, TunslipSession.Listener heard, LongSupplier nanoTime) {
    return switch (line) {
      case RadioConfig.Serial(String device, int baud) ->
          PacketLink.serial(device, baud, prefix, heard, nanoTime);
      case RadioConfig.Tcp(String host, int port) ->
          PacketLink.tcp(host, port, prefix, heard, nanoTime);
      case RadioConfig.Tunslip6(RadioConfig inner) -> packets(inner, prefix, heard, nanoTime);
      case RadioConfig.Virtual ignored -> throw noLine();
      case RadioConfig.Zep ignored -> throw noLine();
    };
  }

  private static IllegalArgumentException noLine() {
    return new IllegalArgumentException("tunslip6 speaks over a serial port or TCP");
  }

  private static Topology topology(@Nullable Path file) throws IOException {
    try {
      return file == null ? Topology.everyone() : Topology.parse(Files.readString(file));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }
}

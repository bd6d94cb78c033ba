package dev.vigil.border;

import dev.vigil.border.radio.Ether;
import dev.vigil.border.radio.EtherSettings;
import dev.vigil.border.radio.RadioLink;
import dev.vigil.border.radio.SlipRadio;
import dev.vigil.border.radio.Topology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Makes radio links from what the configuration says. */
final class Radios {
  private Radios() {}

  static RadioLink open(
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
      case RadioConfig.Serial(String device, int baud) ->
          SlipRadio.serial(device, baud, config.panId(), config.channel(), nanoTime);
      case RadioConfig.Tcp(String host, int port) ->
          SlipRadio.tcp(host, port, config.panId(), config.channel(), nanoTime);
    };
  }

  private static Topology topology(@Nullable Path file) throws IOException {
    try {
      return file == null ? Topology.everyone() : Topology.parse(Files.readString(file));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }
}

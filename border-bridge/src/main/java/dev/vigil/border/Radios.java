package dev.vigil.border;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.radio.PacketLink;
import dev.vigil.border.radio.RadioLink;
import dev.vigil.border.sixlowpan.Contexts;
import dev.vigil.border.sixlowpan.LowpanCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** All the radios of a bridge, which open, start and close together. */
final class Radios implements AutoCloseable {
  private record Radio(RadioLink link, LinkPort port) {}

  private final Intake intake;
  private final List<Radio> radios = new ArrayList<>();
  private final List<PacketLink> boards = new ArrayList<>();

  /**
   * Opens what the configuration names; what was opened is closed if one cannot be had.
   *
   * @param intake gets what they hear
   */
  Radios(LinkPort.Shared shared, Intake intake, LongSupplier nanoTime, RandomGenerator random)
      throws IOException {
    this.intake = intake;
    BridgeConfig config = shared.config();
    Contexts contexts = Contexts.mesh(config.prefix());
    try {
      for (RadioConfig radio : config.radios()) {
        if (radio instanceof RadioConfig.Tunslip6(RadioConfig line)) {
          boards.add(RadioOpener.packets(line, config.prefix(), intake.board(), nanoTime));
        } else {
          RadioLink link = RadioOpener.frames(radio, config, nanoTime, random);
          LowpanCodec codec = new LowpanCodec(contexts, random.nextInt(0x10000));
          radios.add(new Radio(link, new LinkPort(link, codec, shared, random)));
        }
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Starts their threads; each time a radio works (again), {@code up} hears on the pipeline. */
  void start(BiConsumer<LinkPort, Eui64> up) throws IOException {
    for (Radio radio : radios) {
      radio.link().start(intake.radio(radio.port(), up));
    }
    boards.forEach(PacketLink::start);
  }

  /** Those that carry frames, as the pipeline sees them. */
  List<LinkPort> ports() {
    return radios.stream().map(Radio::port).toList();
  }

  /** Those that carry packets. */
  List<PacketLink> boards() {
    return List.copyOf(boards);
  }

  OptionalInt etherPort() {
    return radios.stream().flatMapToInt(radio -> radio.link().etherPort().stream()).findFirst();
  }

  @Override
  public void close() {
    radios.forEach(radio -> radio.link().close());
    boards.forEach(PacketLink::close);
  }
}

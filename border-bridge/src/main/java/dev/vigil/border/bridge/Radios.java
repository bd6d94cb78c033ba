package dev.vigil.border.bridge;

import dev.vigil.border.config.BridgeConfig;
import dev.vigil.border.config.RadioConfig;
import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.link.LinkContext;
import dev.vigil.border.link.LinkPort;
import dev.vigil.border.radio.RadioLink;
import dev.vigil.border.radio.TunslipLink;
import dev.vigil.border.sixlowpan.LowpanCodec;
import dev.vigil.border.sixlowpan.iphc.Contexts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** All radios of a bridge, which are opened, started and closed together. */
final class Radios implements AutoCloseable {
  private record Radio(RadioLink link, LinkPort port) {}

  private final FrameReceiver receiver;
  private final List<Radio> radios = new ArrayList<>();
  private final List<TunslipLink> tunslipLinks = new ArrayList<>();

  /**
   * Opens the configured radios; if one cannot be opened, the others are closed again.
   *
   * @param receiver receives their frames and packets
   */
  Radios(
      BridgeConfig config,
      LinkContext context,
      FrameReceiver receiver,
      LongSupplier nanoTime,
      RandomGenerator random)
      throws IOException {
    this.receiver = receiver;
    Contexts contexts = Contexts.mesh(config.mesh().prefix());
    RadioOpener opener = new RadioOpener(config.mesh(), nanoTime, random);
    try {
      for (RadioConfig radio : config.radios()) {
        if (radio instanceof RadioConfig.Tunslip6(RadioConfig line)) {
          tunslipLinks.add(opener.tunslip(line, receiver.tunslipListener()));
        } else {
          RadioLink link = opener.radio(radio);
          LowpanCodec codec = new LowpanCodec(contexts, random.nextInt(0x10000));
          radios.add(new Radio(link, new LinkPort(link, codec, context, random)));
        }
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Starts the threads; {@code up} runs on the pipeline whenever a radio has come up. */
  void start(BiConsumer<LinkPort, Eui64> up) throws IOException {
    for (Radio radio : radios) {
      radio.link().start(receiver.radioListener(radio.port(), up));
    }
    tunslipLinks.forEach(TunslipLink::start);
  }

  /** The radios that carry frames, as the pipeline sees them. */
  List<LinkPort> ports() {
    return radios.stream().map(Radio::port).toList();
  }

  /** The boards that carry packets. */
  List<TunslipLink> tunslipLinks() {
    return List.copyOf(tunslipLinks);
  }

  OptionalInt etherPort() {
    return radios.stream().flatMapToInt(radio -> radio.link().etherPort().stream()).findFirst();
  }

  @Override
  public void close() {
    radios.forEach(radio -> radio.link().close());
    tunslipLinks.forEach(TunslipLink::close);
  }
}

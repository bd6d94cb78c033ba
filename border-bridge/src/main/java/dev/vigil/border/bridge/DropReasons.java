package dev.vigil.border.bridge;

import dev.vigil.border.host.HostDrop;
import dev.vigil.border.pipeline.BridgeDrop;
import dev.vigil.border.radio.RadioDrop;
import dev.vigil.border.rpl.RplDrop;
import dev.vigil.border.tun.FilterDrop;
import dev.vigil.border.wire.Drop;
import java.util.List;
import java.util.stream.Stream;

/** The drop reasons of all packages. */
final class DropReasons {
  static final List<Enum<?>> ALL =
      Stream.<Enum<?>[]>of(
              Drop.values(),
              BridgeDrop.values(),
              RadioDrop.values(),
              HostDrop.values(),
              RplDrop.values(),
              FilterDrop.values())
          .flatMap(Stream::of)
          .toList();

  private DropReasons() {}
}

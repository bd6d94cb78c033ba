package dev.vigil.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.vigil.coap.exchange.Route;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MirrorRoutesTest {
  @Test
  void serialisesTheRequestsOfAnEndpointOnTheFastPath(@TempDir Path folder) {
    assertThat(new MirrorFixture(folder).proxy().routes())
        .extracting(Route::path, Route::keySegment, Route::fastPath, Route::multicast)
        .containsExactlyInAnyOrder(
            tuple("/ms", Route.NO_KEY, true, false),
            tuple("/ms/*", 1, true, false),
            tuple("/keys/*", Route.NO_KEY, false, false));
  }
}

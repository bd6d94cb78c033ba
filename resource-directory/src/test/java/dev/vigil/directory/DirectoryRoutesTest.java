package dev.vigil.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.vigil.coap.exchange.Route;
import org.junit.jupiter.api.Test;

class DirectoryRoutesTest {
  @Test
  void registersOnTheFastPathAndDiscoversByMulticast() {
    try (DirectoryFixture fixture = new DirectoryFixture()) {
      assertThat(fixture.directory.routes())
          .extracting(Route::path, Route::keySegment, Route::fastPath, Route::multicast)
          .containsExactlyInAnyOrder(
              tuple("/rd", Route.NO_KEY, true, false),
              tuple("/rd/*", Route.NO_KEY, true, false),
              tuple("/rd-lookup/ep", Route.NO_KEY, false, true),
              tuple("/rd-lookup/res", Route.NO_KEY, false, true),
              tuple("/.well-known/core", Route.NO_KEY, false, true),
              tuple("/.well-known/rd", Route.NO_KEY, false, false));
    }
  }
}

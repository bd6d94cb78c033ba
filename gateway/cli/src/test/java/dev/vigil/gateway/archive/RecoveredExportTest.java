package dev.vigil.gateway.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.gateway.testing.MirrorInMemory;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.mirror.model.RecoveredValue;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.history.ArchivedValue;
import dev.vigil.mirror.state.RecoveredReadings.Recovered;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Recovered readings in archives: written, read again, never verified. */
class RecoveredExportTest {
  private static final Instant MEASURED = Instant.parse("2026-11-20T11:00:00Z");

  @TempDir private Path folder = Path.of("");

  private Verdict verify(String archive) throws IOException {
    return Verdict.on(Files.writeString(folder.resolve("archive"), archive));
  }

  private static ArchivedReading recovered(EndpointView view) {
    RecoveredValue value =
        new RecoveredValue("mote-1/temp", "Cel", new BigDecimal("20.5"), MEASURED, 7, "fd00::2", 3);
    return ArchivedReading.of(view, "temp", new Recovered(value, MEASURED.plusSeconds(60)));
  }

  private MirrorInMemory mirror() {
    return new MirrorInMemory(folder, Duration.ofMinutes(1));
  }

  @ParameterizedTest
  @EnumSource
  void theyAreCountedBesideTheVerifiedOnes(ArchiveFormat format) throws IOException {
    MirrorInMemory mirror = mirror();
    SleepyEndpoint mote = new SleepyEndpoint("mote-1");
    String id = mirror.registered(mote, "</temp>");
    mirror.put(id, "temp", mote.update("temp", 8, 21.5));
    EndpointView view = mirror.mirror().queries().endpoint(id).orElseThrow();
    ArchivedValue signed = mirror.mirror().queries().archivedValues(id, "temp", 0, 10).getFirst();

    Verdict verdict =
        verify(
            format.start()
                + format.write(recovered(view))
                + format.write(ArchivedReading.of(view, signed)));

    assertThat(verdict.said())
        .contains("1 reading recovered from a mote's block store: not signed, so not verified")
        .contains("1 reading checked, all valid");
    assertThat(verdict.code()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void anArchiveOfOnlyThemVerifiesNothing(ArchiveFormat format) throws IOException {
    MirrorInMemory mirror = mirror();
    String id = mirror.registered(new SleepyEndpoint("mote-1"), "</temp>");
    EndpointView view = mirror.mirror().queries().endpoint(id).orElseThrow();
    String line = format.write(recovered(view));
    Verdict verdict = verify(format.start() + line);
    assertThat(verdict.said()).contains("no signed reading in");
    assertThat(verdict.code()).isEqualTo(2);
    // Without the mark, the line is a reading with a missing signature.
    Verdict unmarked = verify(format.start() + line.replace("recovered", "delayed"));
    assertThat(unmarked.said()).contains("must have either jws or cose");
    assertThat(unmarked.code()).isEqualTo(1);
  }
}

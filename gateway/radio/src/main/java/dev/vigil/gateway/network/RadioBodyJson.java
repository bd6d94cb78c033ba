package dev.vigil.gateway.network;

import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.gateway.bridge.RadioProperties;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A radio that administrators stored. Absent members have the defaults of the settings file.
 *
 * @param kind determines the other members: virtual uses port; serial device and baud; tcp and zep
 *     host and port; tunslip6-serial and tunslip6-tcp the same as serial and tcp
 * @param port of the virtual radio on loopback (0: any free port), or of the host
 */
@Schema(name = "RadioSettings")
record RadioBodyJson(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @LabelsOf(RadioProperties.Kind.class)
        @Nullable String kind,
    @Schema(minimum = "0", maximum = "65535") @Nullable Integer port,
    @Nullable String device,
    @Schema(minimum = "1") @Nullable Integer baud,
    @Nullable String host) {
  private static final int MAX_TEXT = 255;
  private static final int LAST_PORT = 65_535;
  private static final int ZEP_PORT = 17_754;
  private static final int BAUD = 115_200;
  private static final long OCTET_NANOS = 32_000;

  static RadioBodyJson of(RadioProperties radio) {
    return switch (radio.kind()) {
      case VIRTUAL -> of(radio, radio.port(), null, null, null);
      case SERIAL, TUNSLIP6_SERIAL -> of(radio, null, radio.device(), radio.baud(), null);
      case TCP, ZEP, TUNSLIP6_TCP -> of(radio, radio.port(), null, null, radio.host());
    };
  }

  private static RadioBodyJson of(
      RadioProperties radio,
      @Nullable Integer port,
      @Nullable String device,
      @Nullable Integer baud,
      @Nullable String host) {
    return new RadioBodyJson(LabelsOf.Label.of(radio.kind()), port, device, baud, host);
  }

  /**
   * @param member the name of this radio in the body
   * @throws ProblemException names the member that is wrong
   */
  RadioProperties properties(String member) {
    int given = port == null ? ZEP_PORT : port;
    int speed = baud == null ? BAUD : baud;
    if (given < 0 || given > LAST_PORT) {
      throw refused(member + ".port", "takes 0 to " + LAST_PORT);
    }
    if (speed < 1) {
      throw refused(member + ".baud", "takes a number from 1");
    }
    return new RadioProperties(
        kind(member),
        given,
        "",
        OCTET_NANOS,
        text(member + ".device", device, "/dev/ttyUSB0"),
        speed,
        text(member + ".host", host, "localhost"));
  }

  private RadioProperties.Kind kind(String member) {
    return Arrays.stream(RadioProperties.Kind.values())
        .filter(one -> LabelsOf.Label.of(one).equals(kind))
        .findFirst()
        .orElseThrow(
            () ->
                refused(
                    member + ".kind",
                    "takes " + String.join(", ", LabelsOf.Label.all(RadioProperties.Kind.class))));
  }

  private static String text(String member, @Nullable String given, String defaults) {
    if (given == null) {
      return defaults;
    }
    if (given.isBlank() || given.length() > MAX_TEXT || given.chars().anyMatch(c -> c <= ' ')) {
      throw refused(member, "takes 1 to " + MAX_TEXT + " characters without spaces");
    }
    return given;
  }

  private static ProblemException refused(String member, String fault) {
    return new ProblemException(ProblemType.INVALID_BODY, member + ": " + fault);
  }
}

package dev.vigil.gateway.calibrations;

import dev.vigil.gateway.api.JsonBodies;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.store.NameGrammar;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Calibrations in requests.
 *
 * @param calibrations at most 32, of different paths and names
 */
@Schema(name = "CalibrationsBody")
record CalibrationsBodyJson(
    @Schema(requiredMode = Schema.RequiredMode.REQUIRED)
        @Nullable List<@Nullable ItemJson> calibrations) {
  private static final int MAX_ITEMS = 32;
  private static final int MAX_PATH = 255;
  private static final int MAX_NAME = 255;
  private static final int MAX_UNIT = 32;
  private static final int MAX_NOTE = 200;

  /**
   * The members of {@link Calibration}.
   *
   * @param factor finite, not 0; absent: 1
   * @param offset finite; absent: 0
   * @param unit at most 32 characters
   * @param note at most 200 characters
   */
  @Schema(name = "CalibrationBody")
  record ItemJson(
      @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String path,
      @Nullable String name,
      @Nullable Double factor,
      @Nullable Double offset,
      @Nullable String unit,
      @Nullable String note,
      @Nullable LocalDate date) {}

  /**
   * The calibrations that a request describes.
   *
   * @throws ProblemException 4.00, names the member that is wrong
   */
  List<Calibration> read() {
    List<@Nullable ItemJson> given = JsonBodies.required(calibrations, "calibrations");
    require(given.size() <= MAX_ITEMS, "calibrations", "has more than " + MAX_ITEMS + " items");
    List<Calibration> read = new ArrayList<>();
    Set<List<@Nullable String>> known = new HashSet<>();
    for (int i = 0; i < given.size(); i++) {
      String at = "calibrations[" + i + "]";
      ItemJson item = given.get(i);
      if (item == null) {
        throw refused(at, "is null");
      }
      Calibration one = calibration(at, item);
      require(
          known.add(Arrays.asList(one.path(), one.name())),
          at + ".path",
          "has an earlier calibration of the same name");
      read.add(one);
    }
    return read;
  }

  private static Calibration calibration(String at, ItemJson item) {
    String path = text(at + ".path", item.path(), MAX_PATH);
    if (path == null) {
      throw refused(at + ".path", "is missing");
    }
    double factor = item.factor() == null ? 1 : item.factor();
    double offset = item.offset() == null ? 0 : item.offset();
    require(Double.isFinite(factor) && factor != 0, at + ".factor", "takes a number that is not 0");
    require(Double.isFinite(offset), at + ".offset", "takes a number");
    return new Calibration(
        path,
        text(at + ".name", item.name(), MAX_NAME),
        factor,
        offset,
        text(at + ".unit", item.unit(), MAX_UNIT),
        text(at + ".note", item.note(), MAX_NOTE),
        item.date());
  }

  private static @Nullable String text(String member, @Nullable String given, int most) {
    if (given == null || given.isBlank()) {
      return null;
    }
    require(given.length() <= most, member, "has more than " + most + " characters");
    require(NameGrammar.invisible(given).isEmpty(), member, "holds a character that is not shown");
    return given.strip();
  }

  private static void require(boolean holds, String member, String fault) {
    if (!holds) {
      throw refused(member, fault);
    }
  }

  private static ProblemException refused(String member, String fault) {
    return new ProblemException(ProblemType.INVALID_BODY, member + ": " + fault);
  }
}

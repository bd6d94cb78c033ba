package dev.vigil.gateway.northbound.mqtt;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A unit in Home Assistant's notation, with the device class for values of this unit.
 *
 * @param deviceClass null: no device class fits
 * @param symbol null: a number without unit
 * @param stateClass {@code total} for meters, whose device classes allow no other state class
 */
record HomeAssistantUnit(@Nullable String deviceClass, @Nullable String symbol, String stateClass) {
  private static final String MEASUREMENT = "measurement";
  private static final String TOTAL = "total";

  /** SenML units (RFC 8428 section 12.1, RFC 8798) that have a device class. */
  private static final Map<String, HomeAssistantUnit> KNOWN =
      Map.ofEntries(
          Map.entry("Cel", measured("temperature", "°C")),
          Map.entry("K", measured("temperature", "K")),
          Map.entry("%RH", measured("humidity", "%")),
          Map.entry("lx", measured("illuminance", "lx")),
          Map.entry("Pa", measured("pressure", "Pa")),
          Map.entry("hPa", measured("pressure", "hPa")),
          Map.entry("V", measured("voltage", "V")),
          Map.entry("mV", measured("voltage", "mV")),
          Map.entry("A", measured("current", "A")),
          Map.entry("mA", measured("current", "mA")),
          Map.entry("W", measured("power", "W")),
          Map.entry("kW", measured("power", "kW")),
          Map.entry("VA", measured("apparent_power", "VA")),
          Map.entry("var", measured("reactive_power", "var")),
          Map.entry("J", new HomeAssistantUnit("energy", "J", TOTAL)),
          Map.entry("Wh", new HomeAssistantUnit("energy", "Wh", TOTAL)),
          Map.entry("kWh", new HomeAssistantUnit("energy", "kWh", TOTAL)),
          Map.entry("Hz", measured("frequency", "Hz")),
          Map.entry("dBm", measured("signal_strength", "dBm")),
          Map.entry("%EL", measured("battery", "%")),
          Map.entry("m/s", measured("speed", "m/s")),
          Map.entry("km/h", measured("speed", "km/h")),
          Map.entry("m", measured("distance", "m")),
          Map.entry("mm", measured("distance", "mm")),
          Map.entry("km", measured("distance", "km")),
          Map.entry("kg", measured("weight", "kg")),
          Map.entry("s", measured("duration", "s")),
          Map.entry("ms", measured("duration", "ms")),
          Map.entry("min", measured("duration", "min")),
          Map.entry("h", measured("duration", "h")),
          Map.entry("W/m2", measured("irradiance", "W/m²")),
          Map.entry("pH", measured("ph", null)),
          Map.entry("B", measured("data_size", "B")),
          Map.entry("MB", measured("data_size", "MB")),
          Map.entry("bit/s", measured("data_rate", "bit/s")),
          Map.entry("/", measured(null, null)));

  private static HomeAssistantUnit measured(@Nullable String deviceClass, @Nullable String symbol) {
    return new HomeAssistantUnit(deviceClass, symbol, MEASUREMENT);
  }

  /** The unit for a SenML unit; a unit without a device class keeps its symbol. */
  static HomeAssistantUnit of(String senml) {
    HomeAssistantUnit known = KNOWN.get(senml);
    return known == null ? measured(null, senml) : known;
  }
}

package dev.vigil.gateway.system;

import dev.vigil.gateway.api.LabelsOf;
import dev.vigil.gateway.bridge.BorderProperties;
import dev.vigil.gateway.bridge.NetworkSettings;
import dev.vigil.gateway.redaction.Redactor;
import dev.vigil.gateway.redaction.Settings;
import dev.vigil.gateway.wiring.VigilProperties;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.Resource;
import org.springframework.stereotype.Component;

/** The settings that the gateway started with, defaults included, and where each comes from. */
@Component
class EffectiveSettings {
  private static final String PREFIX = "vigil.";
  private static final Pattern PLAIN_KEY = Pattern.compile("[a-z0-9-]+");

  private static final List<ChronoUnit> UNITS =
      List.of(
          ChronoUnit.DAYS,
          ChronoUnit.HOURS,
          ChronoUnit.MINUTES,
          ChronoUnit.SECONDS,
          ChronoUnit.MILLIS);

  private final Environment environment;
  private final VigilProperties properties;
  private final NetworkSettings network;
  private final Settings shown = new Settings(VigilProperties.class);
  private final Redactor redactor = new Redactor(List.of());

  EffectiveSettings(Environment environment, VigilProperties properties, NetworkSettings network) {
    this.environment = environment;
    this.properties = properties;
    this.network = network;
  }

  /** The origin of a setting. */
  enum Source {
    DEFAULT,
    /** Changed by {@code --demo}. */
    DEMO,
    /** Stored by administrators. */
    STORE,
    FILE,
    ENVIRONMENT,
    OPTION
  }

  /**
   * @param name as in the settings file, without the prefix vigil
   * @param value as text; absent for a secret
   * @param secret whether the value is never shown
   * @param place file and line, or the variable of the environment
   */
  record SettingJson(
      String name,
      @Nullable String value,
      boolean secret,
      @LabelsOf(Source.class) String source,
      @Nullable String place) {}

  private record Origins(Source source, @Nullable String place) {}

  /** In the order of their names. */
  List<SettingJson> all() {
    List<SettingJson> settings = new ArrayList<>();
    add("", properties, settings);
    settings.sort(Comparator.comparing(SettingJson::name));
    return settings;
  }

  private void add(String name, @Nullable Object value, List<SettingJson> settings) {
    switch (value) {
      case null -> {}
      case BorderProperties file when file != network.inForce() ->
          add(name, network.inForce(), settings);
      case Record record -> {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
          add(below(name, kebab(component.getName())), read(record, component), settings);
        }
      }
      case Map<?, ?> map ->
          new TreeMap<>(map).forEach((key, one) -> add(below(name, "" + key), one, settings));
      case List<?> list when list.stream().anyMatch(one -> one instanceof Record) -> {
        for (int i = 0; i < list.size(); i++) {
          add(name + "[" + i + "]", list.get(i), settings);
        }
      }
      default -> settings.add(setting(name, text(value)));
    }
  }

  private static String below(String name, String key) {
    String part = PLAIN_KEY.matcher(key).matches() ? key : "[" + key + "]";
    return name.isEmpty() ? part : part.startsWith("[") ? name + part : name + "." + part;
  }

  private static @Nullable Object read(Record record, RecordComponent component) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String kebab(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  private SettingJson setting(String name, String value) {
    boolean secret = !shown.isShown(PREFIX + name);
    Origins origins = origins(name);
    return new SettingJson(
        name,
        secret && !value.isEmpty() ? null : redactor.redact(value),
        secret,
        LabelsOf.Label.of(origins.source),
        origins.place);
  }

  private static String text(Object value) {
    return switch (value) {
      case List<?> list ->
          list.stream().map(EffectiveSettings::text).collect(Collectors.joining(", "));
      case Enum<?> constant -> LabelsOf.Label.of(constant);
      case Duration duration -> duration(duration);
      default -> value.toString();
    };
  }

  /** In the largest unit that gives a whole number, as settings are written. */
  private static String duration(Duration duration) {
    return UNITS.stream()
        .filter(unit -> duration.toMillis() % unit.getDuration().toMillis() == 0)
        .findFirst()
        .map(unit -> DurationStyle.SIMPLE.print(duration, unit))
        .orElseGet(duration::toString);
  }

  /** A list is set as a whole or by its elements. */
  private Origins origins(String name) {
    if (network.isStored(name)) {
      return new Origins(Source.STORE, null);
    }
    ConfigurationPropertyName whole = ConfigurationPropertyName.adapt(PREFIX + name, '.');
    ConfigurationPropertyName first = ConfigurationPropertyName.adapt(PREFIX + name + "[0]", '.');
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      ConfigurationProperty property = source.getConfigurationProperty(whole);
      if (property == null) {
        property = source.getConfigurationProperty(first);
      }
      if (property != null) {
        return origins(source, property.getOrigin());
      }
    }
    return new Origins(Source.DEFAULT, null);
  }

  private static Origins origins(ConfigurationPropertySource source, @Nullable Origin origin) {
    Origin inner = origin instanceof PropertySourceOrigin wrapped ? wrapped.getOrigin() : origin;
    if (inner instanceof TextResourceOrigin text && text.getResource() != null) {
      Resource file = text.getResource();
      int line = text.getLocation() == null ? 1 : text.getLocation().getLine() + 1;
      return file.getDescription().startsWith("class path")
          ? new Origins(Source.DEMO, null)
          : new Origins(Source.FILE, file.getFilename() + ", line " + line);
    }
    if (source.getUnderlyingSource() instanceof CommandLinePropertySource<?>) {
      return new Origins(Source.OPTION, null);
    }
    String place = origin instanceof PropertySourceOrigin one ? one.getPropertyName() : null;
    boolean variable =
        origin instanceof PropertySourceOrigin one
            && one.getPropertySource()
                .getName()
                .equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
    return new Origins(variable ? Source.ENVIRONMENT : Source.OPTION, place);
  }
}

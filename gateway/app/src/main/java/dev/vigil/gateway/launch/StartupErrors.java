package dev.vigil.gateway.launch;

import dev.vigil.gateway.cli.SettingsFile;
import dev.vigil.gateway.settings.InvalidSettingException;
import dev.vigil.store.StoreException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.boot.tomcat.ConnectorStartFailedException;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.core.env.ConfigurableEnvironment;

/** Explains a failed start in one sentence: what failed and what to do. */
final class StartupErrors {
  /** Properties that hold keys, and misspellings of them; their values are never shown. */
  private static final Pattern SECRETS =
      Pattern.compile(
          "vigil\\.(coap\\.dtls\\.psk|border\\.link-security|northbound\\.(webhook|influxdb))\\b.*");

  private static final int MAX_CAUSES = 50;

  private StartupErrors() {}

  /**
   * @param environment the settings; null when the start failed before they were read
   */
  static String of(Throwable thrown, @Nullable ConfigurableEnvironment environment) {
    Deque<Throwable> causes = causes(thrown);
    for (Throwable t : causes) {
      if (t instanceof InvalidSettingException invalid) {
        return "vigil." + oneLine(invalid) + place(invalid, environment);
      }
    }
    return causes.stream()
        .map(StartupErrors::known)
        .flatMap(Optional::stream)
        .findFirst()
        .orElseGet(() -> "cannot start: " + plain(causes.getLast()));
  }

  /** Whether a start failed because of a setting, and not because of the machine. */
  static boolean isWrongSetting(Throwable thrown) {
    return causes(thrown).stream()
        .anyMatch(t -> t instanceof InvalidSettingException || t instanceof BindException);
  }

  private static Deque<Throwable> causes(Throwable thrown) {
    Deque<Throwable> causes = new ArrayDeque<>();
    for (Throwable t = thrown; t != null && causes.size() < MAX_CAUSES; t = t.getCause()) {
      causes.add(t);
    }
    return causes;
  }

  private static Optional<String> known(Throwable thrown) {
    return switch (thrown) {
      case StoreException e -> Optional.of(oneLine(e));
      case PortInUseException e ->
          Optional.of(
              "port "
                  + e.getPort()
                  + " (HTTP) is in use: stop the program that listens there (ss -ltnp), or choose"
                  + " another port with --http-port");
      case ConnectorStartFailedException e ->
          Optional.of(
              "port "
                  + e.getPort()
                  + " (HTTPS) is in use: stop the program that listens there (ss -ltnp), or choose"
                  + " another port with --https-port");
      case BindException e -> Optional.of(invalidSetting(e));
      case IOException e when e.getMessage() != null && e.getMessage().startsWith("cannot ") ->
          Optional.of(oneLine(e));
      default -> Optional.empty();
    };
  }

  /** Names the property, its place, and the values it takes. */
  private static String invalidSetting(BindException thrown) {
    for (Throwable t = thrown.getCause(); t != null; t = t.getCause()) {
      if (t instanceof UnboundConfigurationPropertiesException unknown) {
        return unknown.getUnboundProperties().stream()
                .map(p -> p.getName() + place(p))
                .collect(Collectors.joining(", "))
            + SettingsFile.NO_SETTING;
      }
    }
    ConfigurationProperty property = thrown.getProperty();
    Throwable root = thrown;
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      root = t;
    }
    if (property == null) {
      return "vigil." + oneLine(root);
    }
    String name = property.getName().toString();
    if (SECRETS.matcher(name).matches()) {
      return "%s has an invalid value%s; docs/guide/settings.md describes it"
          .formatted(name, place(property));
    }
    return "%s cannot be \"%s\"%s: %s"
        .formatted(name, property.getValue(), place(property), allowedValues(thrown, root));
  }

  private static String place(
      InvalidSettingException invalid, @Nullable ConfigurableEnvironment environment) {
    if (environment == null || !ConfigurationPropertyName.isValid("vigil." + invalid.property())) {
      return "";
    }
    ConfigurationPropertyName name = ConfigurationPropertyName.of("vigil." + invalid.property());
    for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
      ConfigurationProperty property = source.getConfigurationProperty(name);
      if (property != null) {
        return place(property);
      }
    }
    return "";
  }

  private static String place(ConfigurationProperty property) {
    Origin origin = property.getOrigin();
    if (origin instanceof PropertySourceOrigin wrapped && wrapped.getOrigin() != null) {
      origin = wrapped.getOrigin();
    }
    return switch (origin) {
      case null -> "";
      case TextResourceOrigin text when text.getLocation() != null && text.getResource() != null ->
          " (%s, line %d)"
              .formatted(text.getResource().getFilename(), text.getLocation().getLine() + 1);
      case Origin other -> " (" + other + ")";
    };
  }

  private static String allowedValues(BindException thrown, Throwable root) {
    Class<?> type = thrown.getTarget().getType().resolve(Object.class);
    if (type.isEnum()) {
      return "it takes "
          + Arrays.stream(type.getEnumConstants())
              .map(c -> c.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
              .collect(Collectors.joining(", "));
    }
    if (type == boolean.class || type == Boolean.class) {
      return "it takes true or false";
    }
    if (type == int.class || type == Integer.class || type == long.class) {
      return "it takes a whole number";
    }
    return oneLine(root);
  }

  /** The message without the package names of exceptions. */
  private static String plain(Throwable thrown) {
    return thrown.getMessage() == null
        ? thrown.getClass().getSimpleName()
        : oneLine(thrown).replaceAll("[a-z.]+\\.([A-Z][A-Za-z]*Exception)", "$1");
  }

  private static String oneLine(Throwable thrown) {
    @Nullable String message = thrown.getMessage();
    return message == null
        ? thrown.getClass().getSimpleName()
        : message.lines().map(String::strip).collect(Collectors.joining(" "));
  }
}

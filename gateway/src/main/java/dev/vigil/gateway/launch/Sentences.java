package dev.vigil.gateway.launch;

import dev.vigil.directory.state.StoreException;
import dev.vigil.gateway.config.WrongSetting;
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

/** Why the gateway cannot start, in one sentence that names the thing and the way out. */
final class Sentences {
  /** Where keys stand, or would if the name were whole. */
  private static final Pattern SECRETS =
      Pattern.compile("vigil\\.(coap\\.dtls\\.psk|border\\.link-security)\\b.*");

  private Sentences() {}

  /**
   * @param environment where the settings come from; null when it never came to that
   */
  static String of(Throwable thrown, @Nullable ConfigurableEnvironment environment) {
    Deque<Throwable> causes = new ArrayDeque<>();
    for (Throwable t = thrown; t != null && causes.size() < 50; t = t.getCause()) {
      if (t instanceof WrongSetting wrong) {
        return "vigil." + oneLine(wrong) + place(wrong, environment);
      }
      causes.add(t);
    }
    return causes.stream()
        .map(Sentences::known)
        .flatMap(Optional::stream)
        .findFirst()
        .orElseGet(() -> "cannot start: " + plain(causes.getLast()));
  }

  private static Optional<String> known(Throwable thrown) {
    return switch (thrown) {
      case StoreException e -> Optional.of(oneLine(e));
      case PortInUseException e ->
          Optional.of(
              "port "
                  + e.getPort()
                  + " (HTTP) is in use: stop what listens there (ss -ltnp), or choose another with"
                  + " --http-port");
      case ConnectorStartFailedException e ->
          Optional.of(
              "port "
                  + e.getPort()
                  + " (HTTPS) is in use: stop what listens there (ss -ltnp), or choose another with"
                  + " --https-port");
      case BindException e -> Optional.of(wrongSetting(e));
      case IOException e when e.getMessage() != null && e.getMessage().startsWith("cannot ") ->
          Optional.of(oneLine(e));
      default -> Optional.empty();
    };
  }

  /** Which property, where it stands, and what it takes. */
  private static String wrongSetting(BindException thrown) {
    for (Throwable t = thrown.getCause(); t != null; t = t.getCause()) {
      if (t instanceof UnboundConfigurationPropertiesException unknown) {
        return unknown.getUnboundProperties().stream()
                .map(p -> p.getName() + place(p))
                .collect(Collectors.joining(", "))
            + " is no setting of Vigil; gateway/README.md lists them all";
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
      return "%s cannot be what it is%s; gateway/README.md says what it takes"
          .formatted(name, place(property));
    }
    return "%s cannot be \"%s\"%s: %s"
        .formatted(name, property.getValue(), place(property), takes(thrown, root));
  }

  private static String place(WrongSetting wrong, @Nullable ConfigurableEnvironment environment) {
    if (environment == null || !ConfigurationPropertyName.isValid("vigil." + wrong.property())) {
      return "";
    }
    ConfigurationPropertyName name = ConfigurationPropertyName.of("vigil." + wrong.property());
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

  private static String takes(BindException thrown, Throwable root) {
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

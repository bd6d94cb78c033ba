package dev.vigil.gateway.launch;

import dev.vigil.gateway.cli.SettingsFile;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Finds environment variables that look like settings but are not settings of Vigil. Spring ignores
 * misspelled variables, and obeys variables that break what Vigil promises.
 */
final class EnvironmentVariables {
  /** Read by the launcher, the build and the tests. */
  private static final Set<String> OTHERS =
      Set.of(
          "VIGIL_BACKUP_PASSPHRASE",
          "VIGIL_BUILD_NUMBER",
          "VIGIL_ENDPOINTS",
          "VIGIL_FUZZ_SECONDS",
          "VIGIL_JAR",
          "VIGIL_MOTE",
          "VIGIL_NO_INSTALL",
          "VIGIL_PAGES",
          "VIGIL_PYTHON",
          "VIGIL_SHOTS",
          "VIGIL_TEST_ALL",
          "VIGIL_URL");

  private static final Set<String> FOREIGN = Set.of("SPRING_", "SERVER_", "MANAGEMENT_");

  private EnvironmentVariables() {}

  /**
   * A sentence that names the variables; empty when there are none. It contains no values.
   *
   * @param settings the record of all settings below {@code vigil.}
   */
  static Optional<String> problem(
      Map<String, String> environment, Class<? extends Record> settings) {
    Map<String, Object> ours =
        environment.entrySet().stream()
            .filter(one -> upper(one.getKey()).startsWith("VIGIL_"))
            .filter(one -> !OTHERS.contains(one.getKey()))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    TreeSet<String> names = new TreeSet<>(ours.keySet());
    if (!ours.isEmpty()) { // binding takes a twentieth of a start
      names.removeAll(bound(ours, settings));
    }
    environment.keySet().stream()
        .filter(name -> FOREIGN.stream().anyMatch(upper(name)::startsWith))
        .forEach(names::add);
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            String.join(", ", names)
                + " (environment)"
                + SettingsFile.NO_SETTING
                + ", or unset it");
  }

  private static String upper(String name) {
    return name.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  /**
   * The variables that are settings: those that are read when the settings come from these
   * variables alone.
   */
  private static Set<String> bound(
      Map<String, Object> variables, Class<? extends Record> settings) {
    Set<String> names = new HashSet<>();
    BindHandler recorder =
        new BindHandler() {
          @Override
          public Object onSuccess(
              ConfigurationPropertyName name,
              Bindable<?> target,
              BindContext context,
              Object result) {
            record(context);
            return result;
          }

          /** An invalid value is reported when all settings are read together. */
          @Override
          public @Nullable Object onFailure(
              ConfigurationPropertyName name,
              Bindable<?> target,
              BindContext context,
              Exception error) {
            record(context);
            return null;
          }

          private void record(BindContext context) {
            if (context.getConfigurationProperty() != null
                && context.getConfigurationProperty().getOrigin()
                    instanceof PropertySourceOrigin origin) {
              names.add(origin.getPropertyName());
            }
          }
        };
    new Binder(
            ConfigurationPropertySources.from(
                new SystemEnvironmentPropertySource(
                    StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables)))
        .bind("vigil", Bindable.of(settings), recorder);
    return names;
  }
}

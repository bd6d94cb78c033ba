package dev.vigil.gateway.redaction;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides which settings may be shown: existing ones whose name does not indicate a secret. A
 * misspelled name may hold anything, so its value is hidden.
 */
public final class Settings {
  private static final String PREFIX = "vigil.";
  private static final String LOG_LEVEL = "logging.level.";

  /**
   * Matches relaxed names. The entire address of a webhook or InfluxDB is often a secret, and so
   * are the headers of a webhook. A file of a header is named, whatever the header's name is.
   */
  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "(?!vigil\\.northbound\\.webhook\\.[^.]+\\.headerfiles\\.)"
              + ".*(token|password|passphrase|secret|psk\\..*|linksecurity\\.key"
              + "|northbound\\.(webhook|influxdb)\\..*\\.url"
              + "|northbound\\.webhook\\..*\\.headers\\..*)$");

  /** Relaxed names of flags whose names resemble secrets. */
  private static final Set<String> FLAGS =
      Set.of("vigil.accounts.operatortoken", "vigil.accounts.printfirstpassword");

  private static final Pattern INDEX = Pattern.compile("\\[(?:\"?)([^\\]\"]*)(?:\"?)]");

  private final Class<? extends Record> root;

  /**
   * @param root the record of all settings below {@code vigil.}
   */
  public Settings(Class<? extends Record> root) {
    this.root = root;
  }

  /** Whether the value of a setting may be shown. */
  public boolean isShown(String name) {
    String plain = plain(name);
    if (plain.startsWith(LOG_LEVEL)) {
      return true;
    }
    return plain.startsWith(PREFIX)
        && !isSecret(plain)
        && exists(root, Arrays.asList(plain.substring(PREFIX.length()).split("\\.")));
  }

  /** The relaxed name, in which indices and keys are parts like others. */
  static String plain(String name) {
    return relaxed(INDEX.matcher(name).replaceAll(".$1"));
  }

  private static boolean isSecret(String name) {
    return SECRET_NAME.matcher(name).matches() && !FLAGS.contains(name);
  }

  /** Whether a path of relaxed names leads to a setting below a type. */
  private static boolean exists(Type type, List<String> path) {
    if (type instanceof ParameterizedType container) {
      // For a list or a map, one part of the path is the index or the key.
      Type[] arguments = container.getActualTypeArguments();
      return path.isEmpty()
          || exists(arguments[arguments.length - 1], path.subList(1, path.size()));
    }
    if (!(type instanceof Class<?> one) || !one.isRecord()) {
      return path.isEmpty();
    }
    Type next = path.isEmpty() ? null : component(one, path.getFirst());
    return next != null && exists(next, path.subList(1, path.size()));
  }

  private static @Nullable Type component(Class<?> type, String name) {
    String wanted = relaxed(name);
    for (RecordComponent component : type.getRecordComponents()) {
      if (relaxed(component.getName()).equals(wanted)) {
        return component.getGenericType();
      }
    }
    return null;
  }

  /**
   * Spring treats {@code link-security}, {@code linkSecurity} and {@code link_security} as one
   * name.
   */
  private static String relaxed(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[-_]", "");
  }
}

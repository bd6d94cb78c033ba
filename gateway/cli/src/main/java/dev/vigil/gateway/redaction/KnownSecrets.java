package dev.vigil.gateway.redaction;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the secrets of an installation, so that they can be removed from texts. It searches the
 * settings, the environment, the files that these name, and the data folder.
 */
public final class KnownSecrets {
  private static final Pattern SECRET_VARIABLE =
      Pattern.compile(
          "VIGIL_.*(TOKEN|PSK|PASSPHRASE|PASSWORD|SECRET|_KEY|COMMANDERKEY"
              + "|_WEBHOOK_.*_HEADER).*");

  /** Matches relaxed names. */
  private static final Pattern FILE_SETTING =
      Pattern.compile(".*(file|\\.key|\\.ipsec|\\.commanderkey|\\.headerfiles\\..*)");

  /** The scheme before the secret of an Authorization header. */
  private static final Pattern SCHEME = Pattern.compile("(?i)^(basic|bearer) +");

  private static final List<String> DATA_FILES =
      List.of("operator.token", "admin.password", "identity.jwk");
  private static final int MAX_FILE_OCTETS = 1 << 20;

  private final Set<String> secrets = new TreeSet<>();

  private final Settings shown;

  private KnownSecrets(Settings shown) {
    this.shown = shown;
  }

  /**
   * @param shown decides which settings contain no secret
   */
  public static Set<String> of(
      Settings shown,
      Path dataFolder,
      List<Map<String, String>> settings,
      Map<String, String> environment) {
    KnownSecrets known = new KnownSecrets(shown);
    for (Map<String, String> some : settings) {
      some.forEach(known::addSetting);
    }
    environment.forEach(known::addVariable);
    DATA_FILES.forEach(name -> known.addFile(dataFolder.resolve(name)));
    return known.secrets;
  }

  private void addSetting(String name, String value) {
    if (!shown.isShown(name)) {
      secrets.add(value);
      secrets.add(value.replaceFirst("^hex:", ""));
    } else if (FILE_SETTING.matcher(Settings.plain(name)).matches() && !value.isEmpty()) {
      addFile(Path.of(value));
    }
  }

  private void addVariable(String name, String value) {
    if (!SECRET_VARIABLE.matcher(name).matches() || value.isEmpty()) {
      return;
    }
    if (value.startsWith("/") && Files.isRegularFile(Path.of(value))) {
      addFile(Path.of(value));
    } else {
      secrets.add(value);
    }
  }

  /** Adds each line, and the text after its equals sign or scheme. Unreadable files are skipped. */
  private void addFile(Path file) {
    try {
      if (Files.isRegularFile(file) && Files.size(file) <= MAX_FILE_OCTETS) {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        text.lines()
            .filter(line -> !line.startsWith("-----"))
            .flatMap(
                line ->
                    Stream.of(
                        line,
                        line.substring(line.indexOf('=') + 1),
                        SCHEME.matcher(line).replaceFirst("")))
            .forEach(secrets::add);
      }
    } catch (IOException e) {
      // An unreadable file is never part of the bundle either, so its secrets need no removal.
    }
  }
}

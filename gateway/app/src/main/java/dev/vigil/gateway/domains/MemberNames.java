package dev.vigil.gateway.domains;

import dev.vigil.gateway.api.DomainNames;
import dev.vigil.gateway.settings.InvalidSettingException;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The JSON members of a domain, by their names in the settings file. */
final class MemberNames {
  private static final Pattern HYPHEN = Pattern.compile("-([a-z])");

  private static final Map<String, String> OTHERS =
      Map.of(
          "register", "policy.register",
          "read", "policy.read",
          "command", "policy.command",
          "history", "history.values",
          "historyAge", "history.ageSeconds",
          "historyOctets", "history.octets",
          "maxClockSkew", "maxClockSkewSeconds",
          "maxDelay", "maxDelaySeconds",
          "defaultWake", "defaultWakeSeconds");

  private MemberNames() {}

  /**
   * The message about a setting of a domain, for a client that sent the setting as a JSON member.
   */
  static String inMessage(String d, InvalidSettingException e) {
    String message = String.valueOf(e.getMessage());
    String prefix = DomainNames.property(d) + ".";
    if (!e.property().startsWith(prefix)) {
      // The name of the domain itself.
      return message;
    }
    return of(e.property().substring(prefix.length()))
        + ": "
        + message.substring(e.property().length() + 1);
  }

  static String of(String setting) {
    String camel =
        HYPHEN.matcher(setting).replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
    return OTHERS.getOrDefault(camel, camel);
  }
}

package dev.vigil.gateway.northbound;

/** Languages of messages to people. */
public enum Language {
  EN,
  DE;

  /** The word of this language. */
  public String word(String english, String german) {
    return switch (this) {
      case EN -> english;
      case DE -> german;
    };
  }

  /** Severity of an alarm, or its state if it needs nobody any more. */
  public String heading(String severity, String state) {
    if ("cleared".equals(state)) {
      return word("cleared", "vorbei");
    }
    if ("acknowledged".equals(state)) {
      return word("acknowledged", "bestätigt");
    }
    return switch (severity) {
      case "critical" -> word("critical", "kritisch");
      case "warning" -> word("warning", "Warnung");
      default -> word("information", "Hinweis");
    };
  }
}

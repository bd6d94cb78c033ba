package dev.vigil.gateway.northbound.template;

import java.io.Serial;

/** A template that cannot be used. Its message continues a sentence about the template. */
public final class InvalidTemplateException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  InvalidTemplateException(String predicate) {
    super(predicate);
  }

  /**
   * @param offset of the fault in the template
   */
  static InvalidTemplateException at(String template, int offset, String fault) {
    String before = template.substring(0, offset);
    long line = 1 + before.chars().filter(c -> c == '\n').count();
    int column = offset - before.lastIndexOf('\n');
    return new InvalidTemplateException(
        "is wrong in line %d, column %d: %s".formatted(line, column, fault));
  }

  /** The message; never null. */
  public String predicate() {
    return String.valueOf(getMessage());
  }
}

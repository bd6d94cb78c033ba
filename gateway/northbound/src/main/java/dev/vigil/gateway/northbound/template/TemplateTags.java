package dev.vigil.gateway.northbound.template;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tags of a template, checked before the library compiles it. The library reports no columns,
 * takes every name, and has tags with which a value could leave its quotes.
 */
final class TemplateTags {
  private static final Pattern TAG =
      Pattern.compile("\\{\\{(?<kind>[#^/!&>={]?)(?<name>.*?)}}", Pattern.DOTALL);

  private TemplateTags() {}

  private record Section(String name, int offset) {}

  /**
   * @param names with whether each may only begin a section
   */
  static void require(String template, Map<String, Boolean> names) throws InvalidTemplateException {
    Deque<Section> open = new ArrayDeque<>();
    Matcher tag = TAG.matcher(template);
    int end = 0;
    while (tag.find()) {
      String name = tag.group("name").strip();
      int offset = tag.start();
      switch (tag.group("kind")) {
        case "" -> requireName(template, offset, name, names, false);
        case "#", "^" -> {
          requireName(template, offset, name, names, true);
          open.push(new Section(name, offset));
        }
        case "/" -> {
          if (open.isEmpty() || !open.pop().name().equals(name)) {
            throw InvalidTemplateException.at(
                template, offset, "{{/" + name + "}} does not end the section that is open");
          }
        }
        case "!" -> {}
        case "{", "&" ->
            throw InvalidTemplateException.at(
                template, offset, "values are always escaped; write {{NAME}}");
        default ->
            throw InvalidTemplateException.at(
                template, offset, "partials and other delimiters are not available");
      }
      end = tag.end();
    }
    int unfinished = template.indexOf("{{", end);
    if (unfinished >= 0) {
      throw InvalidTemplateException.at(template, unfinished, "}} is missing");
    }
    if (!open.isEmpty()) {
      Section last = open.pop();
      throw InvalidTemplateException.at(
          template, last.offset(), "{{/" + last.name() + "}} is missing");
    }
  }

  private static void requireName(
      String template, int offset, String name, Map<String, Boolean> names, boolean section)
      throws InvalidTemplateException {
    Boolean onlySection = names.get(name);
    if (onlySection == null) {
      Set<String> sorted = new TreeSet<>(names.keySet());
      throw InvalidTemplateException.at(
          template, offset, "there is no name \"" + name + "\"; the names are " + sorted);
    }
    if (onlySection && !section) {
      throw InvalidTemplateException.at(
          template, offset, "\"" + name + "\" begins a section: {{#" + name + "}}");
    }
  }
}

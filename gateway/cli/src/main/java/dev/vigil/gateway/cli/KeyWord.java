package dev.vigil.gateway.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Takes the word after an option unless it is the whole name of an option. One thumbprint in 2 048
 * begins with {@code -h} or {@code -V}, and picocli would read it as that option.
 */
public final class KeyWord implements IParameterConsumer {
  @Override
  @SuppressWarnings("JdkObsolete") // picocli's interface has a Stack
  public void consumeParameters(Stack<String> words, ArgSpec option, CommandSpec command) {
    if (words.isEmpty() || command.optionsMap().containsKey(words.peek())) {
      throw refused(option, command, "Missing required parameter for option '%s' (%s)");
    }
    String word = words.pop();
    if (option.isMultiValue()) {
      List<String> all = new ArrayList<>(option.<List<String>>getValue());
      all.add(word);
      option.setValue(all);
    } else if (option.getValue() != null) {
      throw refused(option, command, "option '%s' (%s) should be specified only once");
    } else {
      option.setValue(word);
    }
  }

  private static ParameterException refused(ArgSpec option, CommandSpec command, String text) {
    return new ParameterException(
        command.commandLine(),
        text.formatted(((OptionSpec) option).longestName(), option.paramLabel()));
  }
}

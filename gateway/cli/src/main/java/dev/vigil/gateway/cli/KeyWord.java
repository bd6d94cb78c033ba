package dev.vigil.gateway.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Reads the thumbprint after an option. One in 2 000 begins with {@code -h} or {@code -V}, and
 * picocli would take it for the option of this name.
 */
public final class KeyWord implements IParameterConsumer {
  @Override
  @SuppressWarnings("JdkObsolete") // picocli's
  public void consumeParameters(Stack<String> words, ArgSpec option, CommandSpec command) {
    String name =
        command.optionsMap().entrySet().stream()
            .filter(one -> one.getValue().equals(option))
            .findFirst()
            .orElseThrow()
            .getKey();
    if (words.isEmpty() || command.optionsMap().containsKey(words.peek())) {
      throw new ParameterException(
          command.commandLine(),
          "Missing required parameter for option '" + name + "' (" + option.paramLabel() + ")");
    }
    String word = words.pop();
    if (option.isMultiValue()) {
      List<String> all = new ArrayList<>(option.<List<String>>getValue());
      all.add(word);
      option.setValue(all);
    } else {
      option.setValue(word);
    }
  }
}

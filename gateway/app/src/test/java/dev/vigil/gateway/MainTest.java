package dev.vigil.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
  private static final Map<String, Supplier<Object>> ALL = Main.needed();

  private static String name(Object command) {
    return (command instanceof CommandLine line ? line : new CommandLine(command)).getCommandName();
  }

  @Test
  void eachVerbHasTheNameOfItsCommand() {
    assertThat(ALL).hasSizeGreaterThan(15);
    assertThat(ALL).allSatisfy((name, verb) -> assertThat(name(verb.get())).isEqualTo(name));
  }

  @Test
  void onlyTheVerbIsMadeThatTheArgumentsName() {
    assertThat(Main.needed("run", "verify")).containsOnlyKeys("run");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "rum", "completion", "manual"})
  void allVerbsAreMadeToBeListed(String first) {
    assertThat(Main.needed(first)).hasSameSizeAs(ALL);
  }
}

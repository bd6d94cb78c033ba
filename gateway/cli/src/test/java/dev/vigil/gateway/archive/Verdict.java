package dev.vigil.gateway.archive;

import dev.vigil.gateway.cli.verify.VerifyCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The exit code and the output of {@code vigil verify}. */
record Verdict(int code, String said) {
  static Verdict on(Path file, String... options) {
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said, true);
    String[] words =
        Stream.concat(Stream.of(file.toString()), Stream.of(options)).toArray(String[]::new);
    int code = new CommandLine(new VerifyCommand()).setOut(out).setErr(out).execute(words);
    return new Verdict(code, said.toString());
  }

  List<String> lines() {
    return said.lines().toList();
  }
}

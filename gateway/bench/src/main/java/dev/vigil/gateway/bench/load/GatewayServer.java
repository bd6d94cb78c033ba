package dev.vigil.gateway.bench.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The whole gateway as the launcher starts it, with state in a folder. */
public record GatewayServer(Process process, BufferedReader lines) implements AutoCloseable {
  public static GatewayServer start(Path folder, String... options) throws IOException {
    List<String> command = BenchSupport.words("vigil.bench.gateway");
    command.addAll(List.of("run", "--data-dir", folder.resolve("data").toString()));
    command.addAll(List.of("--http-port", "0", "--anonymous-read"));
    command.addAll(Arrays.asList(options));
    Path errors = folder.resolve("gateway.err");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    return new GatewayServer(process, process.inputReader());
  }

  /** The port of a scheme in the ready line. */
  public int port(String scheme) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("ready ")) {
        return Arrays.stream(line.split(" "))
            .filter(address -> address.startsWith(scheme + "://127.0.0.1:"))
            .map(address -> Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)))
            .findFirst()
            .orElseThrow(() -> new IOException("no " + scheme + " on 127.0.0.1"));
      }
    }
    throw new IOException("the gateway did not start");
  }

  public Duration cpu() {
    return BenchSupport.cpu(process);
  }

  /** Resident memory in MB. */
  public double resident() throws IOException {
    String status = Files.readString(Path.of("/proc/" + process.pid() + "/status"));
    String kilobytes = status.replaceAll("(?s).*VmRSS:\\s*(\\d+) kB.*", "$1");
    return Long.parseLong(kilobytes) * 1024 / 1e6;
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    process.onExit().join();
    lines.close();
  }
}

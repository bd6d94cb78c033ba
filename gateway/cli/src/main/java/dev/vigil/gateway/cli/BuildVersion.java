package dev.vigil.gateway.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version and build number from the file that the build wrote; Spring reads the same file. */
public final class BuildVersion implements IVersionProvider {
  private static final String FILE = "/META-INF/build-info.properties";

  @Override
  public String[] getVersion() {
    return new String[] {text()};
  }

  /** For instance {@code Vigil 0.1.0, build 248-471d6f3}. */
  public static String text() {
    Properties build = new Properties();
    try (InputStream in = BuildVersion.class.getResourceAsStream(FILE)) {
      if (in != null) {
        build.load(in);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "Vigil %s, build %s"
        .formatted(
            build.getProperty("build.version", "unknown"),
            build.getProperty("build.number", "unknown"));
  }
}

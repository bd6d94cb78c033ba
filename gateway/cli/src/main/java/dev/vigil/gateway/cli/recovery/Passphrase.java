package dev.vigil.gateway.cli.recovery;

import dev.vigil.gateway.files.OwnerOnlyFile;
import java.io.Console;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the passphrase of a backup from a file, the environment or the terminal, but never from an
 * argument, which every user of the machine can see.
 */
final class Passphrase {
  static final String VARIABLE = "VIGIL_BACKUP_PASSPHRASE";
  static final int SHORTEST = 12;

  private final @Nullable Path file;
  private final Map<String, String> environment;
  private final @Nullable Console console;

  /**
   * @param file null: the option was not given
   * @param console null without a terminal
   */
  Passphrase(@Nullable Path file, Map<String, String> environment, @Nullable Console console) {
    this.file = file;
    this.environment = environment;
    this.console = console;
  }

  /** The passphrase for a new backup; the terminal prompts for it twice. */
  char[] chosen() throws IOException {
    char[] passphrase = read(true);
    if (passphrase.length < SHORTEST) {
      throw new BackupException(
          "the passphrase has %d characters: take %d or more"
              .formatted(passphrase.length, SHORTEST));
    }
    return passphrase;
  }

  /** The passphrase of an existing backup. */
  char[] given() throws IOException {
    return read(false);
  }

  private char[] read(boolean twice) throws IOException {
    if (file != null) {
      return firstLine(file);
    }
    String variable = environment.get(VARIABLE);
    if (variable != null) {
      return variable.toCharArray();
    }
    if (console == null || !console.isTerminal()) {
      throw new BackupException(
          "there is no passphrase: give --passphrase-file FILE, or set " + VARIABLE);
    }
    char[] first = ask(console, "Passphrase: ");
    if (twice && !Arrays.equals(first, ask(console, "Again: "))) {
      throw new BackupException("the two passphrases differ");
    }
    return first;
  }

  private static char[] ask(Console console, String prompt) throws IOException {
    char[] answer = console.readPassword("%s", prompt);
    if (answer == null) {
      throw new BackupException("there is no passphrase");
    }
    return answer;
  }

  private static char[] firstLine(Path file) throws IOException {
    try {
      OwnerOnlyFile.require(file);
      return Files.readString(file, StandardCharsets.UTF_8)
          .lines()
          .findFirst()
          .orElse("")
          .toCharArray();
    } catch (CharacterCodingException e) {
      throw new BackupException("the passphrase in %s is not UTF-8 text".formatted(file), e);
    } catch (FileSystemException e) {
      throw new BackupException(
          "cannot read the passphrase in %s: does the file exist, and may you read it?"
              .formatted(file),
          e);
    }
  }
}

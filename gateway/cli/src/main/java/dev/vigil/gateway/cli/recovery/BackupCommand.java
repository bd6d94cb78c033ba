package dev.vigil.gateway.cli.recovery;

import dev.vigil.gateway.cli.BuildVersion;
import dev.vigil.gateway.cli.DataFolderOption;
import dev.vigil.gateway.cli.SettingsFile;
import dev.vigil.gateway.files.PrivateFiles;
import dev.vigil.store.StoreException;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code backup}: writes an encrypted backup of a data folder; the gateway may be running. */
@Command(
    name = "backup",
    mixinStandardHelpOptions = true,
    description = {
      "Writes an encrypted backup of the data folder: a snapshot of the state, keys, counters,"
          + " certificates, and the settings file. The gateway may run.",
      "The passphrase comes from --passphrase-file, VIGIL_BACKUP_PASSPHRASE or a prompt."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"0:the backup is on disk", "1:no backup was written", "2:a wrong option"})
public final class BackupCommand implements Callable<Integer> {
  private static final String STDOUT = "-";

  private final Clock clock;
  private final SecureRandom random;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "A new file; - is standard output.")
  private String file = "";

  @Mixin private DataFolderOption dataFolder = new DataFolderOption();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A settings file to include in addition to ./application.yaml.")
  private @Nullable Path config;

  @Option(
      names = "--passphrase-file",
      paramLabel = "FILE",
      description = "A file whose first line is the passphrase.")
  private @Nullable Path passphraseFile;

  public BackupCommand(Clock clock, SecureRandom random) {
    this.clock = clock;
    this.random = random;
  }

  @Override
  public Integer call() {
    try {
      char[] passphrase =
          new Passphrase(passphraseFile, System.getenv(), System.console()).chosen();
      Path folder = dataFolder.path().toAbsolutePath().normalize();
      List<Path> settings =
          SettingsFile.of(Path.of(""), config).stream().map(SettingsFile::path).toList();
      BackupWriter writer = new BackupWriter(clock, random, BuildVersion.text());
      if (file.equals(STDOUT)) {
        writer.write(folder, settings, passphrase, new FileOutputStream(FileDescriptor.out));
      } else {
        BackupHeader header = write(writer, folder, settings, passphrase, Path.of(file));
        spec.commandLine()
            .getOut()
            .printf(
                "%s: %d octets, state of %s%n", file, Files.size(Path.of(file)), header.created());
      }
      return CommandLine.ExitCode.OK;
    } catch (IOException | StoreException e) {
      spec.commandLine().getErr().println("vigil: no backup: " + ErrorLine.of(e));
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  /** Writes the file completely or not at all. */
  private static BackupHeader write(
      BackupWriter writer, Path folder, List<Path> settings, char[] passphrase, Path target)
      throws IOException {
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new BackupException("%s already exists: name a new file".formatted(target));
    }
    Path fresh = target.resolveSibling(target.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    Files.createFile(fresh, PrivateFiles.NEW_FILE);
    try {
      BackupHeader header;
      try (FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel));
        header = writer.write(folder, settings, passphrase, out);
        out.flush();
        channel.force(true);
      }
      Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
      try (FileChannel parent = FileChannel.open(target.toAbsolutePath().resolveSibling(""))) {
        parent.force(true);
      }
      return header;
    } finally {
      Files.deleteIfExists(fresh);
    }
  }
}

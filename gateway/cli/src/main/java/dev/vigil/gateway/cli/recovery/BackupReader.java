package dev.vigil.gateway.cli.recovery;

import dev.vigil.gateway.files.PrivateFiles;
import dev.vigil.gateway.store.sqlite.SqliteFiles;
import dev.vigil.signed.json.JsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/** Reads what {@link BackupWriter} wrote. */
final class BackupReader {
  private static final int BUFFER = 65_536;

  private BackupReader() {}

  /**
   * Unpacks a backup into a folder: the data folder's files, and the settings below {@code
   * settings}. The content is complete and authentic only after this method returns.
   *
   * @throws BackupException when the file is not a backup or was altered, the passphrase is wrong,
   *     or a newer version wrote the file
   */
  static BackupHeader unpack(InputStream in, char[] passphrase, Path folder) throws IOException {
    byte[] line = BackupHeader.readLine(in);
    BackupHeader header = BackupHeader.parse(line);
    byte[] tag = in.readNBytes(PassphraseKey.TAG_OCTETS);
    PassphraseKey key = PassphraseKey.derive(passphrase, header.derivation());
    if (!key.isTag(line, tag)) {
      throw new BackupException(
          "the passphrase is wrong, or the beginning of the file was altered");
    }
    if (header.data() > SqliteFiles.FORMAT) {
      throw new BackupException(
          "a newer version made it (%s): restore it with that version"
              .formatted(JsonReader.printable(header.product())));
    }
    try (SealedInputStream content =
            new SealedInputStream(in, new ChunkCipher(key.content(), line));
        ZipInputStream zip = new ZipInputStream(content)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        write(zip, target(folder, entry.getName()));
      }
      // Reading to the end also authenticates the end of the content.
      content.transferTo(OutputStream.nullOutputStream());
    } catch (ZipException e) {
      throw new BackupException("its content cannot be read", e);
    }
    return header;
  }

  private static Path target(Path folder, String name) throws IOException {
    Path parent = folder;
    String file;
    if (name.startsWith(BackupWriter.DATA)) {
      file = name.substring(BackupWriter.DATA.length());
    } else if (name.startsWith(BackupWriter.SETTINGS)) {
      file = name.substring(BackupWriter.SETTINGS.length());
      parent = folder.resolve(BackupWriter.SETTINGS);
      PrivateFiles.requireFolder(parent);
    } else {
      file = "";
    }
    if (!BackupWriter.NAME.matcher(file).matches()) {
      throw new BackupException("it contains a file that Vigil did not write");
    }
    return parent.resolve(file);
  }

  private static void write(InputStream from, Path file) throws IOException {
    Files.createFile(file, PrivateFiles.NEW_FILE);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      OutputStream to = Channels.newOutputStream(channel);
      byte[] buffer = new byte[BUFFER];
      for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
        to.write(buffer, 0, count);
      }
      channel.force(true);
    }
  }
}

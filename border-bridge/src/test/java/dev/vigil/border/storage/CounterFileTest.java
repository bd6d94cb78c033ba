package dev.vigil.border.storage;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CounterFileTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("counters");
  }

  @Test
  void keepsTheLatestValueOfEachNumber() throws IOException {
    try (CounterFile counters = new CounterFile(file)) {
      counters.save(Map.of("a", 1L, "b/x", 2L));
      counters.save(Map.of("a", -3L));
    }
    try (CounterFile counters = new CounterFile(file)) {
      assertThat(counters.load("a")).hasValue(-3);
      assertThat(counters.loadAll("b/")).containsExactly(Map.entry("b/x", 2L));
      assertThat(counters.load("c")).isEmpty();
    }
  }

  @Test
  void aBatchTornAtAnyOctetIsIgnored() throws IOException {
    try (CounterFile counters = new CounterFile(file)) {
      counters.save(Map.of("a", 1L, "b", 1L));
    }
    long whole = Files.size(file);
    try (CounterFile counters = new CounterFile(file)) {
      counters.save(Map.of("a", 22L, "b", 22L));
    }
    byte[] octets = Files.readAllBytes(file);
    for (int length = (int) whole; length < octets.length - 1; length++) {
      Files.write(file, java.util.Arrays.copyOf(octets, length));
      try (CounterFile counters = new CounterFile(file)) {
        assertThat(counters.loadAll("")).containsOnly(Map.entry("a", 1L), Map.entry("b", 1L));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"b=12x\n", "b12\n", "\0\0\0\0\n", "b=\n"})
  void damageBeforeTheEndIsReportedAndNoNumberLowered(String damage) throws IOException {
    String text = "a=1\n.\n" + damage + ".\na=2\n.\n";
    Files.writeString(file, text);
    assertThatThrownBy(() -> new CounterFile(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("line 3");
    assertThat(file).hasContent(text);
  }

  @Test
  void anEmptyFileIsReportedAndStaysEmpty() throws IOException {
    Files.writeString(file, "");
    assertThatThrownBy(() -> new CounterFile(file)).isInstanceOf(DamagedCountersException.class);
    assertThat(file).isEmptyFile();
  }

  @Test
  void aBatchAfterAFailedWriteIsKept() throws IOException {
    try (CounterFile counters = new CounterFile(file)) {
      counters.save(Map.of("a", 1L));
      Thread.currentThread().interrupt(); // The file channel refuses and closes.
      assertThatThrownBy(() -> counters.save(Map.of("a", 2L))).isInstanceOf(IOException.class);
      assertThat(Thread.interrupted()).isTrue();
      Files.writeString(
          file, "a=2", StandardOpenOption.APPEND); // a torn write, as after a full disk
      assertThat(counters.load("a")).hasValue(1);
      counters.save(Map.of("b", 3L));
    }
    try (CounterFile counters = new CounterFile(file)) {
      assertThat(counters.loadAll("")).containsOnly(Map.entry("a", 1L), Map.entry("b", 3L));
    }
  }

  @Test
  void aFileOfManyCountersIsNotRewrittenForEachSave() throws IOException {
    try (CounterFile counters = new CounterFile(file)) {
      Map<String, Long> many = new java.util.TreeMap<>();
      for (int i = 0; i < 30_000; i++) {
        many.put("counter/of/a/node/with/a/long/name/" + i, 1_000_000L);
      }
      counters.save(many);
      assertThat(Files.size(file)).isGreaterThan(1 << 20);
      int rewrites = 0;
      for (long i = 0; i < 10; i++) {
        Object before = identity();
        counters.save(Map.of("a", i));
        rewrites += identity().equals(before) ? 0 : 1;
      }
      assertThat(rewrites).isLessThanOrEqualTo(1);
    }
    try (CounterFile counters = new CounterFile(file)) {
      Object opened = identity();
      for (long i = 0; i < 10; i++) {
        counters.save(Map.of("a", i));
      }
      assertThat(identity()).isEqualTo(opened);
    }
  }

  /** The inode, which a rewrite changes. */
  private Object identity() throws IOException {
    return requireNonNull(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
  }

  @Test
  void theFileDoesNotGrowWithTheNumberOfWrites() throws IOException {
    try (CounterFile counters = new CounterFile(file)) {
      Map<String, Long> batch = new java.util.TreeMap<>();
      for (int round = 0; round < 60; round++) {
        for (int i = 0; i < 1_000; i++) {
          batch.put("counter/of/a/node/with/a/long/name/" + i, (long) round);
        }
        counters.save(batch);
      }
      assertThat(Files.size(file)).isLessThan(2_000_000);
      assertThat(counters.load("counter/of/a/node/with/a/long/name/999")).hasValue(59);
    }
  }
}

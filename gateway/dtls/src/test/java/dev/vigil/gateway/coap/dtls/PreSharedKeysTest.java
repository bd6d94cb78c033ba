package dev.vigil.gateway.coap.dtls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreSharedKeysTest {
  private static DtlsProperties settings(Map<String, String> psk, String keyFile) {
    return new DtlsProperties(psk, keyFile, "", "", "");
  }

  private static final String SECRET = "s3cret-s3cret";

  @TempDir Path folder = Path.of("");

  private String file(String permissions, String text) throws IOException {
    Path file = Files.writeString(folder.resolve("keys"), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    return file.toString();
  }

  @Test
  void readsTextAndHexadecimalKeysFromSettingsAndFile() throws Exception {
    String file = file("rw-------", "# two\nb=hex:0001020304050607\n\nc d=a=b, 12345\n");
    Map<String, byte[]> keys = PreSharedKeys.of(settings(Map.of("a", "0011223344556677"), file));
    assertThat(keys).containsOnlyKeys("a", "b", "c d");
    assertThat(keys.get("a")).asString().isEqualTo("0011223344556677");
    assertThat(keys.get("b")).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    assertThat(keys.get("c d")).asString().isEqualTo("a=b, 12345");
  }

  @Test
  void aFileThatOthersCanReadIsRefused() throws Exception {
    for (String permissions : List.of("rw-r-----", "rw----r--", "rw--w----")) {
      DtlsProperties settings = settings(Map.of(), file(permissions, "a=" + SECRET));
      assertThatThrownBy(() -> PreSharedKeys.of(settings))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("cannot ")
          .hasMessageContaining("chmod 600");
    }
  }

  @Test
  void aMalformedLineIsNamedWithoutItsKey() throws Exception {
    for (String text :
        List.of(
            "x=12345678\n" + SECRET,
            "x=12345678\n=" + SECRET,
            "x=12345678\nx=" + SECRET,
            "x=12345678\ny=hex:" + SECRET,
            "x=12345678\ny=s3cret")) {
      DtlsProperties settings = settings(Map.of(), file("rw-------", text));
      assertThatThrownBy(() -> PreSharedKeys.of(settings))
          .as(text)
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("cannot ")
          .hasMessageContaining("line 2")
          .hasMessageNotContaining("s3cret");
    }
  }

  @Test
  void aMissingFileIsNamed() {
    DtlsProperties settings = settings(Map.of(), folder.resolve("none").toString());
    assertThatThrownBy(() -> PreSharedKeys.of(settings))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("cannot ")
        .hasMessageContaining("none");
  }

  @Test
  void twoKeysForOneIdentityAreRefused() throws Exception {
    DtlsProperties settings = settings(Map.of("a", "12345678"), file("rw-------", "a=87654321"));
    assertThatThrownBy(() -> PreSharedKeys.of(settings)).hasMessageContaining("two keys");
  }

  @Test
  void noMessageShowsAKey() {
    assertThat(settings(Map.of("a", SECRET), "").toString()).contains("a").doesNotContain(SECRET);
    assertThatThrownBy(() -> settings(Map.of("a", "hex:" + SECRET), ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("coap.dtls.psk.a")
        .hasMessageNotContaining(SECRET)
        .hasNoCause();
  }
}

package dev.vigil.gateway.dashboards.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Formats of images, recognised by their content. */
class ImageFormatTest {
  private static byte[] made(String format, int width, int height) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    assertThat(ImageIO.write(image, format, out)).isTrue();
    return out.toByteArray();
  }

  /** A WebP image (RFC 9649 section 2.4) with one chunk. */
  private static byte[] webp(String chunk, String hex) {
    byte[] payload = HexFormat.of().parseHex(hex);
    ByteBuffer out = ByteBuffer.allocate(20 + payload.length).order(ByteOrder.LITTLE_ENDIAN);
    out.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(12 + payload.length);
    out.put(("WEBP" + chunk).getBytes(StandardCharsets.US_ASCII)).putInt(payload.length);
    return out.put(payload).array();
  }

  private static void assertRefused(byte[] image, String fault) {
    assertThatThrownBy(() -> ImageFormat.read(image))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining(fault);
  }

  @Test
  void theSizeOfEachFormatIsRead() throws Exception {
    assertThat(ImageFormat.read(made("png", 640, 480)))
        .isEqualTo(new ImageFormat.Header(ImageFormat.PNG, 640, 480));
    assertThat(ImageFormat.read(made("jpg", 640, 480)))
        .isEqualTo(new ImageFormat.Header(ImageFormat.JPEG, 640, 480));
    // RFC 9649 sections 2.5 (RFC 6386 section 9.1), 2.6 and 2.7.
    assertThat(ImageFormat.read(webp("VP8 ", "3001009d012a8002e00100")))
        .isEqualTo(new ImageFormat.Header(ImageFormat.WEBP, 640, 480));
    assertThat(ImageFormat.read(webp("VP8L", "2f7fc27700")))
        .isEqualTo(new ImageFormat.Header(ImageFormat.WEBP, 640, 480));
    assertThat(ImageFormat.read(webp("VP8X", "000000007f0200df0100")))
        .isEqualTo(new ImageFormat.Header(ImageFormat.WEBP, 640, 480));
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "jpg"})
  void anImageThatIsCutOffAnywhereIsRefused(String format) throws Exception {
    byte[] image = made(format, 16, 16);
    for (int length = 0; length < image.length; length++) {
      byte[] part = Arrays.copyOf(image, length);
      assertThatThrownBy(() -> ImageFormat.read(part))
          .as("%d of %d octets", length, image.length)
          .isInstanceOf(ImageException.class);
    }
    byte[] longer = Arrays.copyOf(image, image.length + 1);
    assertThatThrownBy(() -> ImageFormat.read(longer)).isInstanceOf(ImageException.class);
  }

  @Test
  void aWebpThatIsCutOffIsRefused() {
    byte[] image = webp("VP8 ", "3001009d012a8002e00100");
    for (int length = 0; length < image.length; length++) {
      byte[] part = Arrays.copyOf(image, length);
      assertThatThrownBy(() -> ImageFormat.read(part)).isInstanceOf(ImageException.class);
    }
    assertRefused(webp("VP8 ", "300100"), "cut off");
    assertRefused(webp("VP8L", "000000000000"), "cut off");
    assertRefused(webp("ANIM", "000000000000"), "cut off");
  }

  @Test
  void aDamagedChunkIsRefused() throws Exception {
    byte[] image = made("png", 16, 16);
    image[20] ^= 1;
    assertRefused(image, "damaged");
  }

  @Test
  void tooManyPixelsAreRefused() throws Exception {
    byte[] image = made("png", 16, 16);
    image = withWidth(image, 100_000);
    assertRefused(image, "has 100000 x 16 pixels: both take 1 to 4096");
    assertRefused(withWidth(image, 0), "has 0 x 16 pixels");
    assertThat(ImageFormat.read(withWidth(image, 4096)).width()).isEqualTo(4096);
    assertRefused(webp("VP8X", "00000000ffffff0f0000"), "has 16777216 x 16 pixels");
  }

  private static byte[] withWidth(byte[] png, int width) {
    byte[] changed = png.clone();
    ByteBuffer.wrap(changed).putInt(16, width);
    ByteBuffer.wrap(changed).putInt(29, crc(changed));
    return changed;
  }

  /** Of the chunk IHDR. */
  private static int crc(byte[] png) {
    CRC32 sum = new CRC32();
    sum.update(png, 12, 17);
    return (int) sum.getValue();
  }

  @Test
  void otherFormatsAreRefusedWhateverTheyPretend() {
    for (String text :
        new String[] {
          "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>",
          "GIF89a..............",
          "<html><body></body></html>",
          ""
        }) {
      assertRefused(text.getBytes(StandardCharsets.US_ASCII), "is no PNG, JPEG or WebP");
    }
    byte[] disguised =
        "\u0089PNG\r\n\u001a\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>"
            .getBytes(StandardCharsets.ISO_8859_1);
    assertRefused(disguised, "damaged");
  }
}

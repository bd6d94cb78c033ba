package dev.vigil.gateway.dashboards.images;

import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.wire.WireReader;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * The accepted formats of images, recognised by their content. Only the structure is read: the
 * gateway decodes no pixels.
 */
public enum ImageFormat {
  /** ISO/IEC 15948. */
  PNG("image/png"),
  /** ITU-T T.81. */
  JPEG("image/jpeg"),
  /** RFC 9649. */
  WEBP("image/webp");

  /** The maximum width and height in pixels. */
  public static final int MAX_SIDE = 4096;

  private static final byte[] PNG_SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  private static final long IHDR = 0x49484452;
  private static final long IEND = 0x49454e44;
  private static final int MIN_HEAD = 12;

  private static final int JPEG_START = 0xffd8;
  private static final int JPEG_END = 0xd9;
  private static final int JPEG_SCAN = 0xda;

  private final String type;

  ImageFormat(String type) {
    this.type = type;
  }

  /** The media type. */
  public String type() {
    return type;
  }

  /** The format and the size in pixels of an image. */
  public record Header(ImageFormat format, int width, int height) {}

  /**
   * @throws ImageException when the octets are no complete image of an accepted format, or have too
   *     many pixels
   */
  public static Header read(byte[] image) throws ImageException {
    Header header;
    try {
      header = recognised(image);
    } catch (SignedObjectException e) {
      throw new ImageException("is cut off or damaged");
    }
    if (header.width < 1
        || header.height < 1
        || header.width > MAX_SIDE
        || header.height > MAX_SIDE) {
      throw new ImageException(
          "has %d x %d pixels: both take 1 to %d".formatted(header.width, header.height, MAX_SIDE));
    }
    return header;
  }

  private static Header recognised(byte[] image) throws ImageException {
    if (image.length >= MIN_HEAD) {
      WireReader in = new WireReader(image);
      byte[] head = in.octets(MIN_HEAD);
      if (Arrays.equals(Arrays.copyOf(head, PNG_SIGNATURE.length), PNG_SIGNATURE)) {
        return png(new WireReader(image, PNG_SIGNATURE.length, image.length));
      }
      WireReader start = new WireReader(head);
      if (start.u16() == JPEG_START) {
        return jpeg(new WireReader(image, 2, image.length));
      }
      start = new WireReader(head);
      if (start.u32() == fourCc("RIFF") && littleEndian(start, 4) == image.length - 8L) {
        if (start.u32() == fourCc("WEBP")) {
          return webp(in);
        }
      }
    }
    throw new ImageException("is no PNG, JPEG or WebP");
  }

  /** Reads all chunks, which carry checksums, so that nothing is missing or follows. */
  private static Header png(WireReader in) throws ImageException {
    Header header = null;
    while (true) {
      long length = in.u32();
      if (length > in.remaining()) {
        throw new ImageException("is cut off or damaged");
      }
      byte[] chunk = in.octets((int) length + 4);
      CRC32 sum = new CRC32();
      sum.update(chunk);
      if (in.u32() != sum.getValue()) {
        throw new ImageException("is cut off or damaged");
      }
      WireReader of = new WireReader(chunk);
      long type = of.u32();
      if ((type == IHDR) != (header == null)) {
        throw new ImageException("is cut off or damaged");
      }
      if (type == IHDR) {
        header = new Header(PNG, side(of.u32()), side(of.u32()));
      }
      if (type == IEND) {
        if (!in.atEnd()) {
          throw new ImageException("has more octets after its end");
        }
        return header == null ? new Header(PNG, 0, 0) : header;
      }
    }
  }

  /** Reads the segments before the first scan, and requires that the image ends with its end. */
  private static Header jpeg(WireReader in) throws ImageException {
    Header header = null;
    while (true) {
      if (in.u8() != 0xff) {
        throw new ImageException("is cut off or damaged");
      }
      int marker = in.u8();
      while (marker == 0xff) {
        marker = in.u8();
      }
      int length = in.u16() - 2;
      if (length < 0) {
        throw new ImageException("is cut off or damaged");
      }
      WireReader segment = new WireReader(in.octets(length));
      if (isFrame(marker)) {
        segment.u8();
        int height = segment.u16();
        header = new Header(JPEG, segment.u16(), height);
      }
      if (marker == JPEG_SCAN) {
        byte[] scans = in.octets(in.remaining());
        WireReader end = new WireReader(scans, Math.max(0, scans.length - 2), scans.length);
        if (header == null || end.u8() != 0xff || end.u8() != JPEG_END) {
          throw new ImageException("is cut off or damaged");
        }
        return header;
      }
    }
  }

  /** Start of frame (T.81 table B.1), without DHT, JPG and DAC. */
  private static boolean isFrame(int marker) {
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
  }

  private static Header webp(WireReader in) throws ImageException {
    long type = in.u32();
    long size = littleEndian(in, 4);
    if (size > in.remaining()) {
      throw new ImageException("is cut off or damaged");
    }
    if (type == fourCc("VP8X")) {
      in.u32();
      return new Header(WEBP, (int) littleEndian(in, 3) + 1, (int) littleEndian(in, 3) + 1);
    }
    if (type == fourCc("VP8L") && in.u8() == 0x2f) {
      long bits = littleEndian(in, 4);
      return new Header(WEBP, (int) (bits & 0x3fff) + 1, (int) (bits >> 14 & 0x3fff) + 1);
    }
    if (type == fourCc("VP8 ")) {
      in.octets(3);
      if (littleEndian(in, 3) == 0x2a019d) {
        int width = (int) littleEndian(in, 2) & 0x3fff;
        return new Header(WEBP, width, (int) littleEndian(in, 2) & 0x3fff);
      }
    }
    throw new ImageException("is cut off or damaged");
  }

  private static int side(long pixels) {
    return (int) Math.min(Integer.MAX_VALUE, pixels);
  }

  private static long fourCc(String name) {
    return (long) name.charAt(0) << 24
        | name.charAt(1) << 16
        | name.charAt(2) << 8
        | name.charAt(3);
  }

  private static long littleEndian(WireReader in, int octets) {
    long number = 0;
    for (int i = 0; i < octets; i++) {
      number |= (long) in.u8() << 8 * i;
    }
    return number;
  }
}

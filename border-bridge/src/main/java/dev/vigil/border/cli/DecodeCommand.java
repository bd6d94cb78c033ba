package dev.vigil.border.cli;

import dev.vigil.border.cli.CaptureFileReader.Captured;
import dev.vigil.border.cli.CaptureFileReader.Content;
import dev.vigil.border.ieee802154.Fcs;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.FrameSecurity;
import dev.vigil.border.ieee802154.FrameType;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ieee802154.LinkKey;
import dev.vigil.border.sixlowpan.LowpanCodec;
import dev.vigil.border.wire.Drop;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * Decodes 802.15.4 frames to IPv6 packets: one line for each, the octets in hex, then a summary.
 * Replayed frames are accepted, so that a recording can be decoded again.
 */
@Command(
    name = "decode",
    mixinStandardHelpOptions = true,
    description = "802.15.4 frames, as hex lines or a capture file, to IPv6 packets")
public final class DecodeCommand implements Callable<Integer> {
  /**
   * The assumed time between frames, because they have no timestamps: 250 frames within the timeout
   * of 5 s.
   */
  private static final int MILLIS_PER_FRAME = 20;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private LowpanOptions options = new LowpanOptions();

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "hex lines, pcap or pcapng, as --pcap writes (default: standard input)")
  private @Nullable Path file;

  private final InputStream standardInput;

  /**
   * @param standardInput is read if no file is named
   */
  public DecodeCommand(InputStream standardInput) {
    this.standardInput = standardInput;
  }

  @Override
  public Integer call() throws IOException {
    if (file == null) {
      return decode(standardInput);
    }
    try (InputStream in = Files.newInputStream(file)) {
      return decode(in);
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), "cannot read " + file, e);
    }
  }

  private int decode(InputStream in) throws IOException {
    Decoding decoding = begin();
    BufferedInputStream input = new BufferedInputStream(in);
    input.mark(CaptureFileReader.MAGIC);
    boolean capture = CaptureFileReader.is(input.readNBytes(CaptureFileReader.MAGIC));
    input.reset();
    if (capture) {
      decoding.capture(input.readAllBytes());
    } else {
      decoding.lines(input);
    }
    return decoding.finish();
  }

  private Decoding begin() {
    try {
      return new Decoding(new LowpanCodec(options.contexts(), 0), options.key());
    } catch (TypeConversionException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /** The state of one decoding. */
  private final class Decoding {
    private final LowpanCodec codec;
    private final @Nullable LinkKey key;
    private final PrintWriter out = spec.commandLine().getOut();
    private final PrintWriter err = spec.commandLine().getErr();
    private long now;
    private int errors;

    Decoding(LowpanCodec codec, @Nullable LinkKey key) {
      this.codec = codec;
      this.key = key;
    }

    void lines(InputStream input) throws IOException {
      errors += HexLines.forEach(input, out, err, octets -> frame(octets, options.fcs));
    }

    void capture(byte[] input) {
      try {
        List<Captured> all = CaptureFileReader.read(input);
        // The gateway's captures contain each packet twice: in frames, and whole.
        boolean frames = all.stream().anyMatch(one -> one.content() != Content.IPV6_PACKET);
        for (int i = 0; i < all.size(); i++) {
          try {
            captured(all.get(i), frames);
          } catch (WireException e) {
            report("frame " + (i + 1), e);
          }
        }
      } catch (WireException e) {
        report("capture file", e);
      }
    }

    private void captured(Captured one, boolean frames) throws WireException {
      switch (one.content()) {
        case FRAME_WITH_FCS -> frame(one.octets(), true);
        case FRAME -> frame(one.octets(), false);
        case IPV6_PACKET -> {
          if (!frames) {
            print(one.octets());
          }
        }
      }
    }

    int finish() {
      int incomplete =
          codec.expire(Long.MAX_VALUE).values().stream().mapToInt(Integer::intValue).sum();
      if (incomplete > 0) {
        err.printf("%s: %d packets lack fragments%n", Drop.FRAGMENT_TIMEOUT.label(), incomplete);
      }
      out.flush();
      err.flush();
      return errors + incomplete == 0 ? 0 : 1;
    }

    private void frame(byte[] octets, boolean fcs) throws WireException {
      now += MILLIS_PER_FRAME;
      Frame frame = Frame.parse(fcs ? Fcs.strip(octets) : octets);
      if (frame.control().type() == FrameType.DATA && frame.payload().length > 0) {
        codec
            .accept(payload(frame), frame.source(), frame.destination(), now)
            .ifPresent(datagram -> print(datagram.ipv6()));
      }
    }

    private byte[] payload(Frame frame) throws WireException {
      if (frame.security() == null) {
        return frame.payload();
      }
      if (key == null) {
        throw new WireException(Drop.SECURITY_KEY_UNKNOWN, "secured; --link-key is missing");
      }
      if (frame.source() instanceof LinkAddress.Extended(var sender)) {
        return FrameSecurity.open(frame, key, sender);
      }
      throw new WireException(Drop.SECURITY_SOURCE_UNKNOWN, "secured, from a short address");
    }

    private void print(byte[] ipv6) {
      out.println(Hex.format(ipv6) + " " + PacketSummary.of(ipv6));
    }

    private void report(String place, WireException e) {
      errors++;
      HexLines.report(err, place, e);
    }
  }
}

package dev.vigil.border.cli;

import dev.vigil.border.ieee802154.Eui64;
import dev.vigil.border.ieee802154.Fcs;
import dev.vigil.border.ieee802154.Frame;
import dev.vigil.border.ieee802154.FrameSecurity;
import dev.vigil.border.ieee802154.KeyId;
import dev.vigil.border.ieee802154.LinkAddress;
import dev.vigil.border.ieee802154.LinkKey;
import dev.vigil.border.ieee802154.SecurityHeader;
import dev.vigil.border.ieee802154.SecurityLevel;
import dev.vigil.border.ipv6.Ipv6Packet;
import dev.vigil.border.sixlowpan.LowpanCodec;
import dev.vigil.border.sixlowpan.NhcSupport;
import dev.vigil.border.wire.Hex;
import dev.vigil.border.wire.WireException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Encodes IPv6 packets, given as hex lines or as the output of {@code decode}, to frames. */
@Command(
    name = "encode",
    mixinStandardHelpOptions = true,
    description = "IPv6 packets, as hex lines on standard input, to 802.15.4 frames")
public final class EncodeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private LowpanOptions options = new LowpanOptions();

  @Option(
      names = "--src",
      paramLabel = "ADDRESS",
      description = "link address of the sender, 16 or 4 hex digits (default: from the packet)")
  private @Nullable String source;

  @Option(
      names = "--dst",
      paramLabel = "ADDRESS",
      description = "link address of the receiver, ffff for all (default: from the packet)")
  private @Nullable String destination;

  @Option(
      names = "--level",
      paramLabel = "0..7",
      defaultValue = "0",
      description = "security level; levels above 0 need --link-key")
  private int level;

  @Option(
      names = "--counter",
      defaultValue = "0",
      description = "frame counter of the first secured frame (default: ${DEFAULT-VALUE})")
  private long counter;

  @Option(
      names = "--key-index",
      description = "key index in the frames (default: no key identifier)")
  private @Nullable Integer keyIndex;

  @Option(
      names = "--pan",
      paramLabel = "HEX",
      defaultValue = "abcd",
      converter = LowpanOptions.HexNumber.class,
      description = "PAN id (default: ${DEFAULT-VALUE})")
  private int panId = 0xabcd;

  @Option(
      names = "--seq",
      defaultValue = "0",
      description = "sequence number of the first frame (default: ${DEFAULT-VALUE})")
  private int sequence;

  @Option(
      names = "--dialect",
      defaultValue = "IPSEC",
      description = "header compressions that the receiver reads: ${COMPLETION-CANDIDATES}")
  private NhcSupport nhc = NhcSupport.IPSEC;

  private final InputStream standardInput;

  public EncodeCommand(InputStream standardInput) {
    this.standardInput = standardInput;
  }

  @Override
  public Integer call() throws IOException {
    try {
      return encode();
    } catch (TypeConversionException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private int encode() throws IOException {
    LinkKey key = options.key();
    if (level < 0 || level > 7 || level > 0 && key == null) {
      throw new ParameterException(
          spec.commandLine(), "--level must be 0 to 7; levels above 0 need --link-key");
    }
    if (panId < 0 || panId > 0xffff) {
      throw new ParameterException(spec.commandLine(), "--pan must have 1 to 4 hex digits");
    }
    LinkAddress from = source == null ? null : LowpanOptions.address(source);
    LinkAddress to = destination == null ? null : LowpanOptions.address(destination);
    LowpanCodec codec = new LowpanCodec(options.contexts(), 0);
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    int errors =
        HexLines.forEach(standardInput, out, err, ipv6 -> packet(ipv6, from, to, codec, key, out));
    return errors == 0 ? 0 : 1;
  }

  private void packet(
      byte[] ipv6,
      @Nullable LinkAddress source,
      @Nullable LinkAddress destination,
      LowpanCodec codec,
      @Nullable LinkKey key,
      PrintWriter out)
      throws WireException {
    Ipv6Packet packet = Ipv6Packet.parse(ipv6);
    LinkAddress from = source == null ? derived(packet.source().low()) : source;
    LinkAddress to =
        destination != null
            ? destination
            : packet.destination().isMulticast()
                ? LinkAddress.BROADCAST
                : derived(packet.destination().low());
    Frame empty = frame(to, from, new byte[0]);
    int maxPayload = Frame.MAX_LENGTH - empty.headerLength() - SecurityLevel.of(level).micLength();
    for (byte[] payload : codec.encode(ipv6, from, to, maxPayload, nhc)) {
      Frame frame = frame(to, from, payload);
      Frame sealed = key == null || level == 0 ? frame : FrameSecurity.seal(frame, key, self(from));
      byte[] octets = sealed.encode();
      out.println(Hex.format(options.fcs ? Fcs.append(octets) : octets));
      sequence++;
      counter++;
    }
  }

  private Frame frame(LinkAddress to, LinkAddress from, byte[] payload) {
    Frame frame = Frame.data(sequence & 0xff, panId, to, from, !to.isBroadcast(), payload);
    if (level == 0) {
      return frame;
    }
    KeyId keyId = keyIndex == null ? KeyId.IMPLICIT : new KeyId.Index(keyIndex);
    return frame.withSecurity(new SecurityHeader(SecurityLevel.of(level), keyId, counter));
  }

  private Eui64 self(LinkAddress from) {
    if (from instanceof LinkAddress.Extended(Eui64 eui64)) {
      return eui64;
    }
    throw new ParameterException(spec.commandLine(), "security needs an extended --src");
  }

  private static LinkAddress derived(long interfaceId) {
    return LinkAddress.of(Eui64.ofInterfaceId(interfaceId));
  }
}

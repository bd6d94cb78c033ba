package dev.vigil.border.tun;

import dev.vigil.border.ipv6.Ipv6Address;
import dev.vigil.border.ipv6.Ipv6Packet;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A TUN device, to which the kernel routes the mesh prefix. If an administrator has made the
 * interface for this process's user, with address and MTU, it is used unchanged. Otherwise this
 * class makes the interface, which needs CAP_NET_ADMIN.
 *
 * <p>Structures and numbers come from Linux's {@code if_tun.h}, {@code if.h} and {@code ipv6.h}.
 */
public final class TunDevice implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TunDevice.class);
  private static final int IFNAMSIZ = 16;
  private static final int IFREQ = 40;
  private static final long TUNSETIFF = 0x400454caL;
  private static final int IFF_TUN_NO_PI = 0x1001;
  private static final int IFF_UP = 1;
  private static final int IFF_UP_RUNNING = 0x41;
  private static final long SIOCGIFINDEX = 0x8933;
  private static final long SIOCSIFFLAGS = 0x8914;
  private static final long SIOCSIFMTU = 0x8922;
  private static final long SIOCSIFADDR = 0x8916;
  private static final int AF_INET6 = 10;
  private static final int SOCK_DGRAM = 2;
  private static final int POLL_MILLIS = 200;
  private static final Path ADDRESSES = Path.of("/proc/net/if_inet6");
  private static final int TENTATIVE = 0x40;
  private static final int USABLE_TRIES = 300;
  private static final int MAX_PACKET = 2_048;

  private final String name;
  private final int fd;
  private final Thread reader;
  private volatile boolean closed;

  /** Guards the descriptor, because the kernel reuses its number for another file after closing. */
  private final Object lock = new Object();

  private boolean released;

  /**
   * Opens the device and sets the interface up. It gives the kernel its address, and with the
   * address the route of the prefix.
   *
   * @param name at most 15 characters
   * @param kernelAddress the kernel's own address in the mesh
   * @param prefixLength of the mesh, bits
   * @param packets receives each packet that the kernel sends, on the device's own thread
   * @throws IOException without the rights, or without TUN in the kernel
   */
  public TunDevice(
      String name, Ipv6Address kernelAddress, int prefixLength, Consumer<byte[]> packets)
      throws IOException {
    if (!name.matches("[A-Za-z0-9_.-]{1,15}")) {
      throw new IllegalArgumentException("not an interface name: " + name);
    }
    this.name = name;
    this.fd = open(kernelAddress, prefixLength);
    try {
      configure(kernelAddress, prefixLength);
      awaitUsable(kernelAddress);
    } catch (IOException e) {
      TunSyscalls.close(fd);
      throw withInstructions(e, kernelAddress, prefixLength);
    }
    this.reader = Thread.ofPlatform().daemon().name("tun-" + name).unstarted(() -> read(packets));
  }

  private int open(Ipv6Address address, int prefixLength) throws IOException {
    try {
      return TunSyscalls.open("/dev/net/tun", TunSyscalls.O_RDWR);
    } catch (IOException e) {
      throw withInstructions(e, address, prefixLength);
    }
  }

  private IOException withInstructions(IOException e, Ipv6Address address, int prefixLength) {
    return new IOException(
        ("cannot use the TUN interface %1$s (%2$s). Give this process CAP_NET_ADMIN, or make the"
                + " interface for its user, as root: ip tuntap add dev %1$s mode tun user %3$s;"
                + " ip link set %1$s mtu %4$d up; ip -6 address add %5$s/%6$d dev %1$s")
            .formatted(
                name,
                e.getMessage(),
                System.getProperty("user.name"),
                Ipv6Packet.MIN_MTU,
                address,
                prefixLength),
        e);
  }

  /** Whether an administrator has configured the interface completely. */
  private boolean isReady(Ipv6Address address, int prefixLength) throws IOException {
    Path device = Path.of("/sys/class/net", name);
    int flags = Integer.decode(Files.readString(device.resolve("flags")).strip());
    int mtu = Integer.parseInt(Files.readString(device.resolve("mtu")).strip());
    String hex = HexFormat.of().formatHex(address.octets());
    return (flags & IFF_UP) != 0
        && mtu == Ipv6Packet.MIN_MTU
        && Files.readAllLines(ADDRESSES).stream()
            .map(line -> line.strip().split("\\s+"))
            .anyMatch(
                word ->
                    word.length == 6
                        && word[0].equals(hex)
                        && word[5].equals(name)
                        && Integer.parseInt(word[2], 16) == prefixLength);
  }

  /**
   * Waits until the kernel has made the new address usable, which happens after the calls have
   * returned. Programs can then bind the address as soon as the gateway is ready.
   */
  private void awaitUsable(Ipv6Address address) throws IOException {
    String hex = HexFormat.of().formatHex(address.octets());
    for (int i = 0; i < USABLE_TRIES; i++) {
      for (String line : Files.readAllLines(ADDRESSES)) {
        // address, interface index, prefix length, scope, flags, name
        String[] word = line.strip().split("\\s+");
        boolean ours = word.length == 6 && word[0].equals(hex) && word[5].equals(name);
        if (ours && (Integer.parseInt(word[4], 16) & TENTATIVE) == 0) {
          return;
        }
      }
      TunSyscalls.pause(10);
    }
    LOG.warn("{}: the kernel's address {} is still tentative after 3 s", name, address);
  }

  private void configure(Ipv6Address address, int prefixLength) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = request(arena);
      request.set(ValueLayout.JAVA_SHORT, IFNAMSIZ, (short) IFF_TUN_NO_PI);
      TunSyscalls.ioctl("TUNSETIFF", fd, TUNSETIFF, request);
      if (isReady(address, prefixLength)) {
        return;
      }
      int socket = TunSyscalls.socket(AF_INET6, SOCK_DGRAM);
      try {
        configure(arena, socket, address, prefixLength);
      } finally {
        TunSyscalls.close(socket);
      }
    }
  }

  private void configure(Arena arena, int socket, Ipv6Address address, int prefixLength)
      throws IOException {
    MemorySegment mtu = request(arena);
    mtu.set(ValueLayout.JAVA_INT, IFNAMSIZ, Ipv6Packet.MIN_MTU);
    TunSyscalls.ioctl("SIOCSIFMTU", socket, SIOCSIFMTU, mtu);

    MemorySegment index = request(arena);
    TunSyscalls.ioctl("SIOCGIFINDEX", socket, SIOCGIFINDEX, index);
    // struct in6_ifreq: address, prefix length, interface index.
    MemorySegment in6 = arena.allocate(24, 4);
    MemorySegment.copy(address.octets(), 0, in6, ValueLayout.JAVA_BYTE, 0, Ipv6Address.LENGTH);
    in6.set(ValueLayout.JAVA_INT, 16, prefixLength);
    in6.set(ValueLayout.JAVA_INT, 20, index.get(ValueLayout.JAVA_INT, IFNAMSIZ));
    TunSyscalls.ioctl("SIOCSIFADDR", socket, SIOCSIFADDR, in6);

    MemorySegment flags = request(arena);
    flags.set(ValueLayout.JAVA_SHORT, IFNAMSIZ, (short) IFF_UP_RUNNING);
    TunSyscalls.ioctl("SIOCSIFFLAGS", socket, SIOCSIFFLAGS, flags);
  }

  /** A struct ifreq with the name in it. */
  private MemorySegment request(Arena arena) {
    MemorySegment request = arena.allocate(IFREQ, 8);
    byte[] ascii = name.getBytes(StandardCharsets.US_ASCII);
    MemorySegment.copy(ascii, 0, request, ValueLayout.JAVA_BYTE, 0, ascii.length);
    return request;
  }

  /** Starts reading. */
  public void start() {
    reader.start();
  }

  private void read(Consumer<byte[]> packets) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(MAX_PACKET);
      while (!closed) {
        int length = TunSyscalls.read(fd, buffer, POLL_MILLIS);
        if (length > 0) {
          packets.accept(buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
        }
      }
    } catch (IOException e) {
      LOG.error("{}: cannot read packets; the TUN interface stops: {}", name, e.toString());
    }
  }

  /**
   * Passes a packet to the kernel.
   *
   * @throws IOException if the kernel refuses it, or the device is closed
   */
  public void write(byte[] ipv6) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment packet = arena.allocateFrom(ValueLayout.JAVA_BYTE, ipv6);
      synchronized (lock) {
        if (released) {
          throw new IOException(name + " is closed");
        }
        TunSyscalls.write(fd, packet);
      }
    }
  }

  /** Removes the device with its address and routes. A second call does nothing. */
  @Override
  public void close() {
    closed = true;
    try {
      if (reader.isAlive()) {
        reader.join();
      }
      synchronized (lock) {
        if (!released) {
          released = true;
          TunSyscalls.close(fd);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.debug("closing {}: {}", name, e.toString());
    }
  }
}

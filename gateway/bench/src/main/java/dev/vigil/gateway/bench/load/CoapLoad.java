package dev.vigil.gateway.bench.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;

/**
 * A CoAP client that only sends confirmable requests and counts the answers. Each peer is one
 * socket with one request in flight, as a mote is (NSTART 1 of RFC 7252 section 4.7).
 */
public final class CoapLoad implements AutoCloseable {
  private static final int RETRANSMIT_MILLIS = 2000;

  /** The end of the header and a token of two octets. */
  private static final int TOKEN_END = 6;

  private static final int LOCATION_PATH = 8;

  private final List<Peer> peers = new ArrayList<>();
  private final java.nio.channels.Selector selector;

  /** Answers by their code, and the number of retransmissions. */
  static final class Tally {
    final Map<String, Integer> codes = new HashMap<>();
    int again;

    int count(String code) {
      return codes.getOrDefault(code, 0);
    }

    @Override
    public String toString() {
      return codes + (again == 0 ? "" : ", sent again: " + again);
    }
  }

  private static final class Peer {
    final DatagramChannel channel;
    byte[] request = {};
    int number;
    int messageId;
    long sentAt;

    Peer(DatagramChannel channel) {
      this.channel = channel;
    }

    /** Message ids count up, so that none comes twice within its lifetime. */
    void send(int nextNumber, byte[] next) throws IOException {
      number = nextNumber;
      messageId = messageId + 1 & 0xffff;
      transmit(next);
    }

    void transmit(byte[] next) throws IOException {
      request = next;
      int id = messageId;
      for (int at = 2; at < 6; at += 2) {
        // The token is the message id: an answer may come in a message of its own.
        request[at] = (byte) (id >>> 8);
        request[at + 1] = (byte) id;
      }
      sentAt = System.nanoTime();
      channel.write(ByteBuffer.wrap(request));
    }
  }

  public CoapLoad(int port, int peerCount) throws IOException {
    selector = java.nio.channels.Selector.open();
    for (int i = 0; i < peerCount; i++) {
      DatagramChannel channel = DatagramChannel.open();
      channel.setOption(StandardSocketOptions.SO_RCVBUF, 65_536);
      channel.connect(new InetSocketAddress("127.0.0.1", port));
      channel.configureBlocking(false);
      Peer peer = new Peer(channel);
      channel.register(selector, java.nio.channels.SelectionKey.OP_READ, peer);
      peers.add(peer);
    }
  }

  /**
   * Sends all requests, dealt out to the peers in turn, and waits for every answer.
   *
   * @param request by its number; octets 2 to 5 are left for message id and token
   */
  public Tally run(int count, IntFunction<byte[]> request) throws IOException {
    return run(count, request, (number, answer) -> {});
  }

  /** Receives the answer to a request, by the request's number. */
  public interface Answers {
    /**
     * @param answer the message, valid during the call
     */
    void take(int number, ByteBuffer answer);
  }

  public Tally run(int count, IntFunction<byte[]> request, Answers answers) throws IOException {
    return run(count, request, answers, i -> 0);
  }

  /**
   * Sends each request at its time, or as soon as a peer is free.
   *
   * @param nanos receives the time from each request to its answer
   */
  Tally paced(double perSecond, long[] nanos, IntFunction<byte[]> request) throws IOException {
    long[] sent = new long[nanos.length];
    long started = System.nanoTime();
    return run(
        nanos.length,
        i -> {
          sent[i] = System.nanoTime();
          return request.apply(i);
        },
        (i, answer) -> nanos[i] = System.nanoTime() - sent[i],
        i -> started + (long) (i * 1e9 / perSecond) - System.nanoTime());
  }

  /**
   * @param wait nanoseconds until a request is due, by its number; not positive: at once
   */
  private Tally run(int count, IntFunction<byte[]> request, Answers answers, IntToLongFunction wait)
      throws IOException {
    Tally tally = new Tally();
    int sent = 0;
    int answered = 0;
    Deque<Peer> free = new ArrayDeque<>(peers);
    ByteBuffer answer = ByteBuffer.allocate(2048);
    while (answered < count) {
      while (sent < count && !free.isEmpty() && wait.applyAsLong(sent) <= 0) {
        free.remove().send(sent, request.apply(sent++));
      }
      boolean paced = sent < count && !free.isEmpty();
      long millis = paced ? wait.applyAsLong(sent) / 1_000_000 + 1 : RETRANSMIT_MILLIS;
      if (selector.select(millis) == 0) {
        retransmit(tally);
        continue;
      }
      var ready = selector.selectedKeys().iterator();
      while (ready.hasNext()) {
        Peer peer = (Peer) ready.next().attachment();
        ready.remove();
        answer.clear();
        int length = peer.channel.read(answer);
        acknowledge(answer, length, peer);
        if (length < 6 || !answers(answer, peer)) {
          continue;
        }
        tally.codes.merge(code(answer.get(1)), 1, Integer::sum);
        answered++;
        answers.take(peer.number, answer.flip());
        peer.request = new byte[0];
        free.add(peer);
      }
    }
    return tally;
  }

  /** A request is not an answer: a socket whose own port is the server's sends to itself. */
  private static boolean answers(ByteBuffer answer, Peer peer) {
    return peer.request.length > 0
        && (answer.get(1) & 0xe0) != 0
        && (answer.getShort(4) & 0xffff) == peer.messageId;
  }

  /** A confirmable message came: an answer that took longer than the acknowledgement. */
  private static void acknowledge(ByteBuffer answer, int length, Peer peer) throws IOException {
    if (length >= 4 && (answer.get(0) & 0x30) == 0) {
      byte[] acknowledgement = {0x60, 0, answer.get(2), answer.get(3)};
      peer.channel.write(ByteBuffer.wrap(acknowledgement));
    }
  }

  private void retransmit(Tally tally) throws IOException {
    long now = System.nanoTime();
    for (Peer peer : peers) {
      if (peer.request.length > 0 && now - peer.sentAt > RETRANSMIT_MILLIS * 1_000_000L) {
        tally.again++;
        if (tally.again > 1000) {
          throw new SocketTimeoutException("no answers: " + tally);
        }
        peer.transmit(peer.request);
      }
    }
  }

  private static String code(byte octet) {
    return "%d.%02d".formatted((octet & 0xff) >> 5, octet & 0x1f);
  }

  /** The last segment of the Location-Path (RFC 7252 section 5.10.7) of an answer. */
  public static String location(ByteBuffer answer) {
    String last = "";
    int number = 0;
    int at = TOKEN_END;
    while (at < answer.limit() && (answer.get(at) & 0xff) != 0xff) {
      int delta = (answer.get(at) & 0xff) >> 4;
      int length = answer.get(at++) & 0xf;
      if (delta > 12 || length > 12) {
        throw new IllegalStateException("a longer option than a location has");
      }
      number += delta;
      if (number == LOCATION_PATH) {
        last = new String(answer.array(), at, length, StandardCharsets.US_ASCII);
      }
      at += length;
    }
    return last;
  }

  /**
   * A confirmable request with a token of two octets.
   *
   * @param options encoded already
   */
  public static byte[] message(int code, byte[] options, byte[] payload) {
    int marker = payload.length == 0 ? 0 : 1;
    ByteBuffer message = ByteBuffer.allocate(6 + options.length + marker + payload.length);
    message.put((byte) 0x42).put((byte) code).putInt(0).put(options);
    if (marker == 1) {
      message.put((byte) 0xff).put(payload);
    }
    return message.array();
  }

  /** Uri-Path, Content-Format (-1 for none) and Uri-Query options (RFC 7252 section 5.10). */
  public static byte[] options(List<String> path, int format, List<String> query) {
    ByteBuffer out = ByteBuffer.allocate(512);
    int last = 0;
    for (String segment : path) {
      last = option(out, last, 11, segment.getBytes(StandardCharsets.UTF_8));
    }
    if (format >= 0) {
      byte[] value =
          format < 256
              ? new byte[] {(byte) format}
              : new byte[] {(byte) (format >>> 8), (byte) format};
      last = option(out, last, 12, value);
    }
    for (String one : query) {
      last = option(out, last, 15, one.getBytes(StandardCharsets.UTF_8));
    }
    return java.util.Arrays.copyOf(out.array(), out.position());
  }

  private static int option(ByteBuffer out, int last, int number, byte[] value) {
    int length = Math.min(value.length, 13);
    out.put((byte) ((number - last) << 4 | length));
    if (length == 13) {
      out.put((byte) (value.length - 13));
    }
    out.put(value);
    return number;
  }

  @Override
  public void close() throws IOException {
    for (Peer peer : peers) {
      peer.channel.close();
    }
    selector.close();
  }
}

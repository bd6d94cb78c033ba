package dev.vigil.gateway.northbound.probe;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The first line of an HTTP response. The rest of the body is not read, and secrets that a server
 * repeats are removed.
 */
public final class FirstLine {
  private static final int MAX_OCTETS = 2048;
  private static final int MAX_SHOWN = 200;

  /** Shorter parts of an address are no secrets, and occur in other words. */
  private static final int MIN_SECRET = 6;

  private static final Pattern VALUES = Pattern.compile("[/?&=]+");
  private static final Pattern WORDS = Pattern.compile("[^A-Za-z0-9_-]+");
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]+");

  private FirstLine() {}

  /** Reads the beginning of a body. */
  public static HttpResponse.BodyHandler<String> handler() {
    return info -> new Beginning();
  }

  private static final class Beginning implements HttpResponse.BodySubscriber<String> {
    private final CompletableFuture<String> body = new CompletableFuture<>();
    private final ByteArrayOutputStream octets = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;

    @Override
    public CompletionStage<String> getBody() {
      return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      for (ByteBuffer buffer : buffers) {
        byte[] some = new byte[Math.min(buffer.remaining(), MAX_OCTETS - octets.size())];
        buffer.get(some);
        octets.writeBytes(some);
      }
      if (octets.size() >= MAX_OCTETS && subscription != null) {
        subscription.cancel();
        onComplete();
      }
    }

    @Override
    public void onError(Throwable thrown) {
      body.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
      body.complete(octets.toString(StandardCharsets.UTF_8));
    }
  }

  /**
   * Status and first line for an operator.
   *
   * @param url of the request; everything except scheme and host may be secret
   * @param secrets of the request's headers
   */
  public static String of(HttpResponse<String> answer, URI url, Collection<String> secrets) {
    String line =
        answer
            .body()
            .lines()
            .map(String::strip)
            .filter(one -> !one.isEmpty())
            .findFirst()
            .orElse("");
    String plain = UNPRINTABLE.matcher(line).replaceAll(" ");
    for (String hidden : hidden(url, secrets)) {
      plain = plain.replace(hidden, "***");
    }
    String shown = plain.substring(0, Math.min(MAX_SHOWN, plain.length()));
    return (answer.statusCode() + " " + shown).strip();
  }

  /** The secrets and their parts, longest first. */
  private static List<String> hidden(URI url, Collection<String> secrets) {
    return Stream.concat(
            Stream.of(url.getRawPath(), url.getPath(), url.getRawQuery(), url.getQuery()),
            secrets.stream())
        .filter(Objects::nonNull)
        .flatMap(
            text ->
                Stream.of(Stream.of(text), VALUES.splitAsStream(text), WORDS.splitAsStream(text))
                    .flatMap(parts -> parts))
        .filter(part -> part.length() >= MIN_SECRET)
        .distinct()
        .sorted(Comparator.comparingInt(String::length).reversed())
        .toList();
  }
}

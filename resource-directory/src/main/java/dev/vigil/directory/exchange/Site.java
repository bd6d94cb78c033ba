package dev.vigil.directory.exchange;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All resources by their paths, and the one place where an error becomes a response. A path ending
 * in {@code /*} stands for everything below it; the longest match answers.
 */
public final class Site {
  private static final Logger log = LoggerFactory.getLogger(Site.class);
  private static final String BELOW = "*";

  private final Map<List<String>, Resource> resources;

  /** By what stands before {@code /*}. */
  private final Map<List<String>, Resource> below;

  private final int longestBelow;

  /**
   * @param resources by path, for instance {@code /rd} and {@code /rd/*}
   */
  public Site(Map<String, Resource> resources) {
    Map<List<String>, Resource> all =
        resources.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    e -> List.of(e.getKey().substring(1).split("/")), Map.Entry::getValue));
    this.resources = all;
    this.below =
        all.entrySet().stream()
            .filter(e -> e.getKey().getLast().equals(BELOW))
            .collect(
                Collectors.toUnmodifiableMap(
                    e -> e.getKey().subList(0, e.getKey().size() - 1), Map.Entry::getValue));
    this.longestBelow = below.keySet().stream().mapToInt(List::size).max().orElse(0);
  }

  /** Never completes exceptionally. */
  public CompletableFuture<Response> answer(Request request) {
    try {
      return find(request.path()).answer(request).exceptionally(t -> failure(request, t));
    } catch (RuntimeException e) {
      return CompletableFuture.completedFuture(failure(request, e));
    }
  }

  private Resource find(List<String> path) {
    Resource exact = resources.get(path);
    if (exact != null) {
      return exact;
    }
    for (int length = Math.min(path.size() - 1, longestBelow); length > 0; length--) {
      Resource answering = below.get(path.subList(0, length));
      if (answering != null) {
        return answering;
      }
    }
    throw new ExchangeException(Code.NOT_FOUND, "nothing is at /" + String.join("/", path));
  }

  private static Response failure(Request request, Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
    if (cause instanceof ExchangeException e) {
      return e.response();
    }
    log.error("{} {} failed", request.method(), request.pathAsText(), cause);
    return Response.diagnostic(Code.INTERNAL_SERVER_ERROR, "internal error; see the gateway's log");
  }
}

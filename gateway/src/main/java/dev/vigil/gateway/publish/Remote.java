package dev.vigil.gateway.publish;

import dev.vigil.directory.coap.CoapClient;
import dev.vigil.directory.coap.CoapClient.Answer;
import dev.vigil.directory.coap.CoapClient.Question;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.link.Link;
import dev.vigil.directory.link.LinkFormat;
import dev.vigil.directory.link.LinkFormatException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Another directory, asked as RFC 9176 has it. Blocks until it answered; for one thread. */
final class Remote {
  private static final String REGISTRATION = "core.rd";
  private static final LinkFormat.Limits LIMITS = new LinkFormat.Limits(65_536, 1000, 64);
  private static final byte[] NOTHING = {};

  private final URI server;
  private final Function<Question, CompletableFuture<Answer>> asker;
  private @Nullable List<String> registrations;

  /**
   * @param asker for instance {@link CoapClient#ask}
   */
  Remote(URI server, Function<Question, CompletableFuture<Answer>> asker) {
    this.server = server;
    this.asker = asker;
    List<String> told = segments(server.getPath());
    this.registrations = told.isEmpty() ? null : told;
  }

  /** It answered, but not as was wished; the message says what. */
  static final class RefusedException extends IOException {
    @java.io.Serial private static final long serialVersionUID = 1L;
    private final String code;

    RefusedException(String what, Answer answer) {
      super(what + " was answered " + answer.code());
      this.code = answer.code();
    }

    String code() {
      return code;
    }
  }

  /** The location of the registration, as segments. */
  List<String> register(Wanted wanted, long lifetime) throws IOException, InterruptedException {
    List<String> path = registrations;
    if (path == null) {
      path = discover();
      registrations = path;
    }
    List<Query.Parameter> query = new ArrayList<>(wanted.parameters());
    query.add(lifetime(lifetime));
    Answer answer = ask(Method.POST, path, query, ContentFormat.LINK_FORMAT, wanted.links());
    if (!answer.isSuccess() || answer.location().isEmpty()) {
      if (answer.code().equals("4.04") && segments(server.getPath()).isEmpty()) {
        registrations = null;
      }
      throw new RefusedException("registering", answer);
    }
    return answer.location();
  }

  void renew(List<String> location, long lifetime) throws IOException, InterruptedException {
    require("renewing", ask(Method.POST, location, List.of(lifetime(lifetime)), null, NOTHING));
  }

  void remove(List<String> location) throws IOException, InterruptedException {
    require("removing", ask(Method.DELETE, location, List.of(), null, NOTHING));
  }

  private static void require(String what, Answer answer) throws RefusedException {
    if (!answer.isSuccess()) {
      throw new RefusedException(what, answer);
    }
  }

  /** Where to register (RFC 9176 section 4.3). */
  private List<String> discover() throws IOException, InterruptedException {
    Query.Parameter type = new Query.Parameter("rt", REGISTRATION);
    Answer answer = ask(Method.GET, List.of(".well-known", "core"), List.of(type), null, NOTHING);
    require("looking for where to register", answer);
    try {
      return LinkFormat.parse(answer.payload(), LIMITS).stream()
          .filter(link -> link.attribute("rt").filter(Remote::isRegistration).isPresent())
          .map(Link::target)
          .filter(target -> target.startsWith("/"))
          .findFirst()
          .map(Remote::segments)
          .orElseThrow(() -> new IOException("it has no link of rt=" + REGISTRATION));
    } catch (LinkFormatException e) {
      throw new IOException("its links cannot be read", e);
    }
  }

  private static boolean isRegistration(String types) {
    return List.of(types.split(" ")).contains(REGISTRATION);
  }

  /** Those of a path; an empty one at the end is one (RFC 7252 section 6.4). */
  private static List<String> segments(@Nullable String path) {
    return path == null || path.length() <= 1
        ? List.of()
        : List.of(path.substring(1).split("/", -1));
  }

  private static Query.Parameter lifetime(long seconds) {
    return new Query.Parameter("lt", Long.toString(seconds));
  }

  private Answer ask(
      Method method,
      List<String> path,
      List<Query.Parameter> query,
      @Nullable ContentFormat format,
      byte[] payload)
      throws IOException, InterruptedException {
    Question question = new Question(method, server, path, new Query(query), format, payload);
    try {
      return asker.apply(question).get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause
          ? cause
          : new IOException("cannot ask", e.getCause());
    }
  }
}

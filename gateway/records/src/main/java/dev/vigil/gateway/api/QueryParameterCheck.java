package dev.vigil.gateway.api;

import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.RecordComponent;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Refuses unknown and repeated query parameters, because a filter with a mistyped name would select
 * everything.
 */
final class QueryParameterCheck implements HandlerInterceptor {
  private final Map<java.lang.reflect.Method, Set<String>> known = new ConcurrentHashMap<>();

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    String query = request.getQueryString();
    if (query == null || query.isEmpty() || !(handler instanceof HandlerMethod method)) {
      return true;
    }
    Set<String> names = known.computeIfAbsent(method.getMethod(), key -> names(method));
    Set<String> seen = new HashSet<>();
    for (String part : query.split("&")) {
      String name = URLDecoder.decode(part.split("=", 2)[0], StandardCharsets.UTF_8);
      if (!names.contains(name)) {
        throw refused(
            names.isEmpty()
                ? "this request takes no query parameters"
                : "unknown query parameter: this request takes " + String.join(", ", names));
      }
      if (!seen.add(name)) {
        throw refused(name + ": must be given only once");
      }
    }
    return true;
  }

  private static ProblemException refused(String why) {
    return new ProblemException(ProblemType.INVALID_PARAMETER, why);
  }

  /** The names of the parameters, and of the components of a record that holds parameters. */
  private static Set<String> names(HandlerMethod method) {
    Set<String> names = new TreeSet<>();
    for (MethodParameter parameter : method.getMethodParameters()) {
      @Nullable RequestParam named = parameter.getParameterAnnotation(RequestParam.class);
      if (named != null) {
        names.add(named.name().isEmpty() ? parameter.getParameter().getName() : named.name());
      } else if (parameter.getParameterType().isRecord()) {
        Arrays.stream(parameter.getParameterType().getRecordComponents())
            .map(RecordComponent::getName)
            .forEach(names::add);
      }
    }
    return names;
  }
}

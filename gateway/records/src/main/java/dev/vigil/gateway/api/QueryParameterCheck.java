package dev.vigil.gateway.api;

import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
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
 * Refuses unknown query parameters, because a filter with a mistyped name would select everything.
 * Only parameters that are lists may be repeated.
 */
final class QueryParameterCheck implements HandlerInterceptor {
  private final Map<Method, Names> known = new ConcurrentHashMap<>();

  /**
   * @param lists names that may be repeated
   */
  private record Names(Set<String> all, Set<String> lists) {}

  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    String query = request.getQueryString();
    if (query == null || query.isEmpty() || !(handler instanceof HandlerMethod method)) {
      return true;
    }
    Names names = known.computeIfAbsent(method.getMethod(), key -> names(method));
    Set<String> seen = new HashSet<>();
    for (String part : query.split("&")) {
      String name = URLDecoder.decode(part.split("=", 2)[0], StandardCharsets.UTF_8);
      if (!names.all.contains(name)) {
        throw refused(
            names.all.isEmpty()
                ? "this request takes no query parameters"
                : "unknown query parameter: this request takes " + String.join(", ", names.all));
      }
      if (!seen.add(name) && !names.lists.contains(name)) {
        throw refused(name + ": must be given only once");
      }
    }
    return true;
  }

  private static ProblemException refused(String why) {
    return new ProblemException(ProblemType.INVALID_PARAMETER, why);
  }

  /** The names of the parameters, and of the components of a record that holds parameters. */
  private static Names names(HandlerMethod method) {
    Set<String> names = new TreeSet<>();
    Set<String> lists = new TreeSet<>();
    for (MethodParameter parameter : method.getMethodParameters()) {
      @Nullable RequestParam named = parameter.getParameterAnnotation(RequestParam.class);
      if (named != null) {
        String name = named.name().isEmpty() ? parameter.getParameter().getName() : named.name();
        names.add(name);
        if (parameter.getParameterType() == List.class) {
          lists.add(name);
        }
      } else if (parameter.getParameterType().isRecord()) {
        Arrays.stream(parameter.getParameterType().getRecordComponents())
            .map(RecordComponent::getName)
            .forEach(names::add);
      }
    }
    return new Names(names, lists);
  }
}

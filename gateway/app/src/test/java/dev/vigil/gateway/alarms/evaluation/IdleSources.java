package dev.vigil.gateway.alarms.evaluation;

import dev.vigil.gateway.alarms.conditions.GatewaySource;
import dev.vigil.gateway.alarms.kinds.AlarmKind;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The sources of a gateway without trouble, except for the sources that a test replaces. */
final class IdleSources {
  private static final Map<Class<?>, Object> IDLE =
      Map.of(
          boolean.class,
          false,
          int.class,
          0,
          long.class,
          0L,
          double.class,
          0.0,
          OptionalDouble.class,
          OptionalDouble.empty(),
          OptionalLong.class,
          OptionalLong.empty(),
          List.class,
          List.of(),
          Map.class,
          Map.of(),
          Set.class,
          Set.of());

  private IdleSources() {}

  static List<GatewaySource> with(GatewaySource... given) {
    List<GatewaySource> sources = new ArrayList<>(List.of(given));
    for (AlarmKind kind : AlarmKind.all()) {
      if (kind instanceof AlarmKind.OfGateway<?> sampled
          && sources.stream().noneMatch(sampled.source()::isInstance)) {
        sources.add(idle(sampled.source()));
      }
    }
    return sources;
  }

  private static <S extends GatewaySource> S idle(Class<S> source) {
    return source.cast(
        Proxy.newProxyInstance(
            source.getClassLoader(),
            new Class<?>[] {source},
            (Object proxy, java.lang.reflect.Method method, Object @Nullable [] arguments) ->
                IDLE.get(method.getReturnType())));
  }
}

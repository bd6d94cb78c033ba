package dev.vigil.gateway.api;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list.
 *
 * @param next the value of {@code after} for the next page; null at the end
 */
public record Page<T>(List<T> items, @Nullable String next) {
  /**
   * The first page of a stream.
   *
   * @param size already checked by {@link PageCursor#limit}
   * @param cursor returns the position after an item, made by {@link PageCursor#of}
   */
  public static <T> Page<T> of(Stream<T> items, int size, Function<T, String> cursor) {
    List<T> found = items.limit(size + 1L).toList();
    return found.size() <= size
        ? new Page<>(found, null)
        : new Page<>(found.subList(0, size), cursor.apply(found.get(size - 1)));
  }
}

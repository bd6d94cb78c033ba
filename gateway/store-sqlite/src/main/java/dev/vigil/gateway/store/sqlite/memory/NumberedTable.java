package dev.vigil.gateway.store.sqlite.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A table of values keyed by numbers that count up from 1 and are never reused. Empty pages take no
 * memory. One thread writes; any thread may read.
 */
public final class NumberedTable<T> {
  private static final int PAGE_BITS = 10;
  private static final int PAGE = 1 << PAGE_BITS;

  private volatile @Nullable Object[][] pages = new @Nullable Object[4][];

  public void put(long number, T value) {
    int page = page(number);
    @Nullable Object[][] all = pages;
    if (page >= all.length) {
      all = Arrays.copyOf(all, Math.max(2 * all.length, page + 1));
    }
    @Nullable Object[] values = all[page];
    if (values == null) {
      values = new @Nullable Object[PAGE];
      all[page] = values;
    }
    values[place(number)] = value;
    // The volatile write also publishes the value.
    pages = all;
  }

  public void remove(long number) {
    int page = page(number);
    @Nullable Object[][] all = pages;
    @Nullable Object[] values = page < all.length ? all[page] : null;
    if (values == null) {
      return;
    }
    values[place(number)] = null;
    if (Arrays.stream(values).allMatch(value -> value == null)) {
      all[page] = null;
    }
    pages = all;
  }

  @SuppressWarnings("unchecked") // put() takes only T
  public @Nullable T get(long number) {
    int page = number < 1 ? Integer.MAX_VALUE : page(number);
    @Nullable Object[][] all = pages;
    @Nullable Object[] values = page < all.length ? all[page] : null;
    return values == null ? null : (T) values[place(number)];
  }

  private static int page(long number) {
    return Math.toIntExact((number - 1) >> PAGE_BITS);
  }

  private static int place(long number) {
    return (int) (number - 1) & (PAGE - 1);
  }
}

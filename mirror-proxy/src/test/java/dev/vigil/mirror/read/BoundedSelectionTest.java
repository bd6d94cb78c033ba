package dev.vigil.mirror.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BoundedSelectionTest {
  private static final int LIMIT = 10;

  /** An object that is in no cache of the virtual machine. */
  private record Item(int number) {}

  private static final Comparator<Item> ORDER = Comparator.comparingInt(Item::number);
  private final BoundedSelection<Item> first = new BoundedSelection<>(ORDER, LIMIT);

  @Test
  void selectsTheFirstElementsInAnyOrderOfArrival() {
    Random random = new Random(417);
    List<Item> all = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      Item item = new Item(random.nextInt(300));
      all.add(item);
      first.offer(item);
      assertThat(first.inOrder()).isEqualTo(all.stream().sorted(ORDER).limit(LIMIT).toList());
    }
  }

  @Test
  void holdsNoMoreElementsThanTheLimit() {
    List<WeakReference<Item>> passed = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      Item item = new Item(-i);
      passed.add(new WeakReference<>(item));
      first.offer(item);
    }
    System.gc();
    assertThat(passed).filteredOn(item -> item.get() != null).hasSizeLessThanOrEqualTo(LIMIT + 1);
    assertThat(first.inOrder()).hasSize(LIMIT);
  }
}

package dev.vigil.gateway.dashboards;

import dev.vigil.gateway.dashboards.images.PlanImages;
import dev.vigil.gateway.records.RecordChange;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.store.Store;
import java.time.Clock;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Removes the images that no tile shows any more, when a dashboard changes. An upload that nobody
 * saved is removed with a later change or upload.
 */
@Component
final class UnusedImages implements DisposableBean {
  private final Dashboards dashboards;
  private final PlanImages images;
  private final Clock clock;
  private final Store.Subscription following;

  UnusedImages(Dashboards dashboards, PlanImages images, Clock clock) {
    this.dashboards = dashboards;
    this.images = images;
    this.clock = clock;
    this.following = dashboards.onChange(this::changed);
  }

  /** Called on the feed's thread. */
  private void changed(RecordChange<Dashboard> change) {
    if (change.after() == null) {
      images.removeAll(change.id());
    } else if (change.before() != null) {
      Set<String> former = new HashSet<>(of(change.before()));
      former.removeAll(of(change.after()));
      if (!former.isEmpty()) {
        images.remove(change.id(), former);
      }
    }
  }

  private static Set<String> of(Versioned<Dashboard> dashboard) {
    return dashboard.value().tiles().stream()
        .map(Tile::image)
        .flatMap(Stream::ofNullable)
        .collect(Collectors.toSet());
  }

  /** Whether a tile of a dashboard shows an image. */
  boolean isUsed(String dashboard, @Nullable String image) {
    return image != null
        && dashboards.get(dashboard).filter(found -> of(found).contains(image)).isPresent();
  }

  /** Removes uploads that nobody saved. */
  void sweep() {
    images.removeUnused(clock.instant(), this::isUsed);
  }

  @Override
  public void destroy() {
    following.close();
  }
}

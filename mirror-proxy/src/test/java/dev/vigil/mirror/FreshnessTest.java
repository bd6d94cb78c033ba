package dev.vigil.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.coap.exchange.Response;
import dev.vigil.mirror.model.Domain;
import dev.vigil.mirror.model.keys.TrustPolicy;
import dev.vigil.mirror.read.EndpointView;
import dev.vigil.mirror.read.Freshness;
import dev.vigil.mirror.read.history.ValueMark;
import dev.vigil.mirror.refusal.StaleValueException;
import dev.vigil.signed.jose.TestSigner;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether endpoints and their values are on time, late or missing. */
class FreshnessTest {
  @TempDir Path folder;

  @Test
  void anOverdueValueIsServedAsStaleUnlessTheDomainForbidsIt() {
    MirrorFixture mirror =
        new MirrorFixture(
            folder,
            TestDomain.nameless().build(),
            TestDomain.named("strict").servingNothingStale().build());
    TestSigner mote = new TestSigner();
    TestSigner other = new TestSigner();
    String entry = mirror.registered(mote, "mote-1", 1);
    Response registered = mirror.register(other, "mote-2", 1, ",\"d\":\"strict\",\"wake\":60");
    String strictEntry = MirrorFixture.entry(registered);
    mirror.put(entry + "/temp", MirrorFixture.update(mote, "temp", 2));
    mirror.put(strictEntry + "/temp", MirrorFixture.update(other, "temp", 2));

    mirror.clock.forward(Duration.ofSeconds(90));

    assertThat(mirror.get(entry + "/temp").maxAge()).isZero();
    Response refused = mirror.get(strictEntry + "/temp");
    assertThat(refused.code().dotted()).isEqualTo("5.03");
    assertThat(refused.maxAge()).isEqualTo(60);
    assertThat(refused.refusal()).isInstanceOf(StaleValueException.class);
    EndpointView view = mirror.queries().endpoint(entry.substring(4)).orElseThrow();
    assertThat(view.freshness()).isEqualTo(Freshness.LATE);
    assertThat(view.resources().getFirst().marks()).containsExactly(ValueMark.STALE);
  }

  @Test
  void aKeyThatWaitsIsNeitherLateNorMissing() {
    MirrorFixture mirror = new MirrorFixture(folder, Domain.of("", TrustPolicy.APPROVE));
    TestSigner mote = new TestSigner();
    String id = mirror.register(mote, "mote-1", 1, ",\"wake\":60").location().getLast();
    mirror.clock.forward(Duration.ofMinutes(10));

    EndpointView waiting = mirror.queries().endpoint(id).orElseThrow();
    assertThat(waiting.freshness()).isEqualTo(Freshness.NOT_TRUSTED);
    assertThat(waiting.lateAt()).isNull();
    assertThat(waiting.missingAt()).isNull();

    mirror.operations().approve(mote.jkt(), id, Set.of(""), "alice").join();
    Instant approved = mirror.clock.instant();
    EndpointView trusted = mirror.queries().endpoint(id).orElseThrow();
    assertThat(trusted.freshness()).as("it has an interval to send").isEqualTo(Freshness.ON_TIME);
    assertThat(trusted.missingAt()).isEqualTo(approved.plusSeconds(60));
    mirror.put("/ms/" + id + "/temp", MirrorFixture.update(mote, "temp", 2));
    assertThat(mirror.queries().endpoint(id).orElseThrow().missingAt())
        .isEqualTo(mirror.clock.instant().plusSeconds(180));
  }

  @Test
  void freshnessFollowsTheEndpointsOwnWakeInterval() {
    Domain slow = Domain.of("", TrustPolicy.FIRST_USE);
    MirrorFixture mirror = new MirrorFixture(folder, slow);
    TestSigner minutely = new TestSigner();
    TestSigner hourly = new TestSigner();
    TestSigner silent = new TestSigner();
    String[] ids = {
      mirror.registered(minutely, "mote-1", 1).substring(4),
      mirror.register(hourly, "mote-2", 1, ",\"wake\":3600").location().getLast(),
      mirror.register(silent, "mote-3", 1, "").location().getLast(),
    };
    mirror.put("/ms/" + ids[0] + "/temp", MirrorFixture.update(minutely, "temp", 2));
    mirror.put("/ms/" + ids[1] + "/temp", MirrorFixture.update(hourly, "temp", 2));

    assertThat(slow.defaultWake()).as("default wake interval").isEqualTo(Duration.ofMinutes(5));
    for (Object[] row :
        new Object[][] {
          {89, Freshness.ON_TIME, Freshness.ON_TIME, Freshness.ON_TIME},
          {90, Freshness.LATE, Freshness.ON_TIME, Freshness.ON_TIME},
          {179, Freshness.LATE, Freshness.ON_TIME, Freshness.ON_TIME},
          {180, Freshness.MISSING, Freshness.ON_TIME, Freshness.ON_TIME},
          {299, Freshness.MISSING, Freshness.ON_TIME, Freshness.ON_TIME},
          {300, Freshness.MISSING, Freshness.ON_TIME, Freshness.MISSING},
          {5400, Freshness.MISSING, Freshness.LATE, Freshness.MISSING},
        }) {
      Instant then = MirrorFixture.START.plusSeconds((int) row[0]);
      mirror.clock.forward(Duration.between(mirror.clock.instant(), then));
      for (int i = 0; i < ids.length; i++) {
        assertThat(mirror.queries().endpoint(ids[i]).orElseThrow().freshness())
            .as("%s after %s s", ids[i], row[0])
            .isEqualTo(row[i + 1]);
      }
    }
    mirror.put("/ms/" + ids[0] + "/temp", MirrorFixture.update(minutely, "temp", 3));
    assertThat(mirror.queries().endpoint(ids[0]).orElseThrow().freshness())
        .isEqualTo(Freshness.ON_TIME);
  }
}

package dev.vigil.gateway.alarms.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.vigil.gateway.alarms.register.AlarmRegister;
import dev.vigil.gateway.alarms.rules.RuleBook;
import dev.vigil.gateway.alarms.silences.Silences;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.tags.TaggedEndpoints;
import dev.vigil.gateway.testing.MirrorInMemory;
import dev.vigil.gateway.testing.SleepyEndpoint;
import dev.vigil.mirror.MirrorQueries;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys that wait while a gateway of a cluster evaluates the rules, and while another one does. */
class DomainsWithWaitingKeysTest {
  @TempDir private Path folder = Path.of("");

  private final DomainsWithWaitingKeys waiting = new DomainsWithWaitingKeys();

  private AlarmEvaluator evaluator(MirrorInMemory mirror) {
    MirrorQueries queries = mirror.mirror().queries();
    Records records = new Records(mirror.store(), mirror);
    TaggedEndpoints tagged = new TaggedEndpoints(records, queries, mirror.store());
    Silences silences = new Silences(records, mirror);
    return new AlarmEvaluator(
        new AlarmEvaluator.Conditions(
            new RuleBook(records),
            new EndpointConditions(queries, tagged, waiting, mirror.millis()),
            new GatewayConditions(IdleSources.with(waiting), kind -> true),
            name -> true),
        queries,
        new AlarmRegister(records, silences, mirror, new Random(1)),
        silences,
        mirror,
        () -> 0);
  }

  @Test
  void anEndpointForgottenDuringAnotherGatewaysDutyNoLongerWaits() {
    MirrorInMemory mirror = new MirrorInMemory(folder, Duration.ofMinutes(1));
    String id = mirror.registered(new SleepyEndpoint("mote-1"), "</temp>");
    assertThatIllegalStateException()
        .as("another key of that name is held")
        .isThrownBy(() -> mirror.registered(new SleepyEndpoint("mote-1"), "</temp>"));
    AlarmEvaluator former = evaluator(mirror);
    former.process();
    former.rulesChanged();
    former.process();
    assertThat(waiting.domains()).as("also after a change of rules").containsExactly("");
    mirror.mirror().operations().forgetEndpoint(id, "operator").join();
    evaluator(mirror).process();
    assertThat(waiting.domains()).isEmpty();
  }
}

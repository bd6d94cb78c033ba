package dev.vigil.gateway.alarms.register;

import dev.vigil.gateway.alarms.conditions.Severity;
import dev.vigil.gateway.alarms.kinds.AlarmKind;
import dev.vigil.gateway.records.RecordChange;
import dev.vigil.gateway.records.Versioned;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The numbers of open alarms by severity and kind. */
@Component
class AlarmMetrics implements MeterBinder {
  private final AlarmRegister register;
  private final Map<Series, AtomicLong> open = new ConcurrentHashMap<>();

  private record Series(Severity severity, AlarmKind kind, boolean acknowledged) {}

  AlarmMetrics(AlarmRegister register) {
    this.register = register;
    for (Severity severity : Severity.values()) {
      for (AlarmKind kind : AlarmKind.all()) {
        open.put(new Series(severity, kind, false), new AtomicLong());
        open.put(new Series(severity, kind, true), new AtomicLong());
      }
    }
    register.onChange(this::count);
  }

  private void count(RecordChange<Alarm> change) {
    add(change.before(), -1);
    add(change.after(), 1);
  }

  private void add(@Nullable Versioned<Alarm> stored, int number) {
    if (stored != null && !stored.value().isCleared()) {
      Alarm alarm = stored.value();
      Series series = new Series(alarm.severity(), alarm.kind(), alarm.acknowledged() != null);
      open.computeIfAbsent(series, any -> new AtomicLong()).addAndGet(number);
    }
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    open.forEach(
        (series, number) ->
            Gauge.builder("vigil.alarms", number, AtomicLong::get)
                .tags("severity", series.severity.label(), "kind", series.kind.label())
                .tags("state", series.acknowledged ? "acknowledged" : "active")
                .description("open alarms")
                .register(registry));
    Gauge.builder("vigil.alarms.refused", register, AlarmRegister::refused)
        .description("attempts to raise an alarm that failed because too many were open")
        .register(registry);
  }
}

package dev.vigil.gateway.alarms.register;

import dev.vigil.gateway.api.EventSource;
import dev.vigil.gateway.api.FeatureEvent;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.store.Store;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;

/** Each change of an alarm as a server-sent event. */
@Component
class AlarmEvents implements EventSource {
  private final AlarmRegister register;

  AlarmEvents(AlarmRegister register) {
    this.register = register;
  }

  @Override
  public Store.Subscription follow(long after, Consumer<FeatureEvent> follower) {
    return register.onChange(
        change -> {
          Versioned<Alarm> alarm = change.after();
          if (alarm != null && change.position() > after) {
            follower.accept(
                new FeatureEvent(
                    "alarm",
                    alarm.id(),
                    alarm.value().subject().d(),
                    change.position(),
                    AlarmJson.of(alarm, register.isSilenced(alarm.value()))));
          }
        });
  }
}

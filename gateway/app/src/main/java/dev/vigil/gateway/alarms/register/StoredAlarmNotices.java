package dev.vigil.gateway.alarms.register;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.vigil.gateway.northbound.AlarmNotice;
import dev.vigil.gateway.northbound.AlarmNotices;
import dev.vigil.gateway.records.Records;
import dev.vigil.gateway.records.Versioned;
import dev.vigil.gateway.tls.HttpProperties;
import dev.vigil.store.Change;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The alarms as destinations read them. */
@Component
class StoredAlarmNotices implements AlarmNotices {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .changeDefaultPropertyInclusion(
              inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
          .build();

  private final AlarmRegister register;
  private final HttpProperties http;

  StoredAlarmNotices(AlarmRegister register, HttpProperties http) {
    this.register = register;
    this.http = http;
  }

  @Override
  public boolean concerns(Change change) {
    return Records.isOf(change, AlarmRegister.KIND);
  }

  @Override
  public List<AlarmNotice> of(Change change) {
    List<Versioned<Alarm>> changed;
    try {
      changed = Records.in(change, AlarmRegister.KIND, Alarm.class);
    } catch (JacksonException e) {
      // The register has logged that this version cannot read it.
      return List.of();
    }
    return changed.stream()
        .filter(alarm -> !register.isSilenced(alarm.value()))
        .map(this::notice)
        .toList();
  }

  private AlarmNotice notice(Versioned<Alarm> stored) {
    Alarm alarm = stored.value();
    return new AlarmNotice(
        stored.id(),
        alarm.subject().d(),
        alarm.subject().ep(),
        alarm.severity().label(),
        alarm.state(),
        alarm.texts().english(),
        alarm.texts().german(),
        link(alarm.subject().endpoint()),
        alarm.count(),
        alarm.raisedAt(),
        JSON.writeValueAsString(AlarmJson.of(stored, false)));
  }

  @Override
  public @Nullable String link(@Nullable String endpoint) {
    String page =
        endpoint == null
            ? "alarms"
            : "endpoints/" + URLEncoder.encode(endpoint, StandardCharsets.UTF_8);
    return http.publicUrl().isEmpty() ? null : http.publicUrl() + "#/" + page;
  }
}

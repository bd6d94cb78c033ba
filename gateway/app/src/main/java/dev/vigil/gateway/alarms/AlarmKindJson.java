package dev.vigil.gateway.alarms;

import dev.vigil.gateway.alarms.conditions.KindDescription;
import dev.vigil.gateway.alarms.conditions.KindText;
import dev.vigil.gateway.alarms.conditions.RuleFields;
import dev.vigil.gateway.alarms.conditions.RuleFields.LimitUse;
import dev.vigil.gateway.alarms.kinds.AlarmKind;
import dev.vigil.gateway.alarms.rules.RuleBook;
import dev.vigil.gateway.alarms.rules.RuleJson;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kind of alarm: the fields of its rules, and its texts.
 *
 * @param watches the objects that its rules watch; endpoint-or-all: each endpoint, or with an empty
 *     ep all endpoints together
 * @param above how rules have this limit; either: this limit, the other one, or both; absent: they
 *     have none
 * @param below likewise
 * @param units SenML units that rules choose from; empty: any; absent: rules have no unit
 * @param defaultRule the rule that exists from the start; absent: none
 * @param texts in English (en) and German (de)
 */
record AlarmKindJson(
    AlarmKind kind,
    RuleFields.Watched watches,
    @Nullable LimitUse above,
    @Nullable LimitUse below,
    @Nullable List<String> units,
    @Nullable RuleJson defaultRule,
    Texts texts) {

  record Texts(KindText en, KindText de) {}

  static AlarmKindJson of(AlarmKind kind) {
    KindDescription description = kind.description();
    RuleFields fields = description.fields();
    return new AlarmKindJson(
        kind,
        fields.watched(),
        fields.above(),
        fields.below(),
        fields.units(),
        RuleBook.defaultOf(kind).map(RuleJson::of).orElse(null),
        new Texts(description.english(), description.german()));
  }
}

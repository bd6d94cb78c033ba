package dev.vigil.signed.senml;

import dev.vigil.signed.json.JsonReader;
import dev.vigil.signed.json.JsonWriter;
import dev.vigil.signed.wire.WireReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SenML in JSON (RFC 8428 section 5). */
final class SenmlJson {
  private SenmlJson() {}

  static List<SenmlRecord> read(byte[] octets) {
    JsonReader json = new JsonReader(new WireReader(octets));
    RecordFields.FieldReader in = fieldReader(json);
    List<SenmlRecord> records = new ArrayList<>();
    json.array(
        () -> {
          SenmlPack.requireCapacity(records);
          RecordFields fields = new RecordFields();
          json.object(
              name -> {
                SenmlLabel label = SenmlLabel.ofJson(name);
                if (label == null) {
                  RecordFields.requireSkippable(name);
                  json.skip();
                } else {
                  fields.read(label, in);
                }
              });
          records.add(fields.toRecord());
        });
    json.end();
    return records;
  }

  private static RecordFields.FieldReader fieldReader(JsonReader json) {
    return new RecordFields.FieldReader() {
      @Override
      public String text() {
        return json.string();
      }

      @Override
      public double number() {
        return json.number();
      }

      @Override
      public long integer() {
        return json.integer();
      }

      @Override
      public boolean bool() {
        return json.bool();
      }

      @Override
      public byte[] data() {
        byte[] text = json.string().getBytes(StandardCharsets.UTF_8);
        return new WireReader(text).base64url(text.length);
      }
    };
  }

  static byte[] write(List<SenmlRecord> records) {
    JsonWriter json = new JsonWriter().open('[');
    for (SenmlRecord record : records) {
      json.open('{');
      json.member(SenmlLabel.BASE_NAME.json, record.baseName());
      number(json, SenmlLabel.BASE_TIME, record.baseTime());
      json.member(SenmlLabel.BASE_UNIT.json, record.baseUnit());
      number(json, SenmlLabel.BASE_VALUE, record.baseValue());
      number(json, SenmlLabel.BASE_SUM, record.baseSum());
      if (record.baseVersion() != null) {
        json.member(SenmlLabel.BASE_VERSION.json, record.baseVersion());
      }
      json.member(SenmlLabel.NAME.json, record.name());
      json.member(SenmlLabel.UNIT.json, record.unit());
      value(json, record.value());
      number(json, SenmlLabel.SUM, record.sum());
      number(json, SenmlLabel.TIME, record.time());
      number(json, SenmlLabel.UPDATE_TIME, record.updateTime());
      json.close('}');
    }
    return json.close(']').toOctets();
  }

  private static void value(JsonWriter json, @Nullable SenmlValue value) {
    switch (value) {
      case null -> {}
      case SenmlValue.Number(double number) -> number(json, SenmlLabel.VALUE, number);
      case SenmlValue.Text(String text) -> json.member(SenmlLabel.STRING.json, text);
      case SenmlValue.Bool(boolean bool) ->
          json.name(SenmlLabel.BOOL.json).raw(Boolean.toString(bool));
      case SenmlValue.Data(byte[] octets) ->
          json.member(
              SenmlLabel.DATA.json, Base64.getUrlEncoder().withoutPadding().encodeToString(octets));
    }
  }

  private static void number(JsonWriter json, SenmlLabel label, @Nullable Double value) {
    if (value != null) {
      json.name(label.json).raw(SenmlPack.decimal(value));
    }
  }
}

package dev.vigil.mirror.senml;

import dev.vigil.mirror.wire.JsonReader;
import dev.vigil.mirror.wire.JsonText;
import dev.vigil.mirror.wire.WireReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SenML in JSON (RFC 8428 section 5). */
final class SenmlJson {
  private SenmlJson() {}

  static List<Item> read(byte[] octets) {
    JsonReader json = new JsonReader(new WireReader(octets));
    Fields.Source source = source(json);
    List<Item> items = new ArrayList<>();
    json.array(
        () -> {
          Pack.requireRoom(items);
          Fields fields = new Fields();
          json.object(
              name -> {
                Label label = Label.ofJson(name);
                if (label == null) {
                  Fields.unknown(name);
                  json.skip();
                } else {
                  fields.read(label, source);
                }
              });
          items.add(fields.item());
        });
    json.end();
    return items;
  }

  private static Fields.Source source(JsonReader json) {
    return new Fields.Source() {
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

  static byte[] write(List<Item> items) {
    JsonText json = new JsonText().open('[');
    for (Item item : items) {
      json.open('{');
      json.member(Label.BASE_NAME.json, item.baseName());
      number(json, Label.BASE_TIME, item.baseTime());
      json.member(Label.BASE_UNIT.json, item.baseUnit());
      number(json, Label.BASE_VALUE, item.baseValue());
      number(json, Label.BASE_SUM, item.baseSum());
      if (item.baseVersion() != null) {
        json.member(Label.BASE_VERSION.json, item.baseVersion());
      }
      json.member(Label.NAME.json, item.name());
      json.member(Label.UNIT.json, item.unit());
      value(json, item.value());
      number(json, Label.SUM, item.sum());
      number(json, Label.TIME, item.time());
      number(json, Label.UPDATE_TIME, item.updateTime());
      json.close('}');
    }
    return json.close(']').toOctets();
  }

  private static void value(JsonText json, @Nullable Value value) {
    switch (value) {
      case null -> {}
      case Value.Number(double number) -> number(json, Label.VALUE, number);
      case Value.Text(String text) -> json.member(Label.STRING.json, text);
      case Value.Bool(boolean bool) -> json.name(Label.BOOL.json).raw(Boolean.toString(bool));
      case Value.Data(byte[] octets) ->
          json.member(
              Label.DATA.json, Base64.getUrlEncoder().withoutPadding().encodeToString(octets));
    }
  }

  private static void number(JsonText json, Label label, @Nullable Double value) {
    if (value != null) {
      json.name(label.json).raw(Pack.decimal(value));
    }
  }
}

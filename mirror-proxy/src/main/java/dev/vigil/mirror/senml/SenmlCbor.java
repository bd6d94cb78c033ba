package dev.vigil.mirror.senml;

import dev.vigil.mirror.wire.CborReader;
import dev.vigil.mirror.wire.CborWriter;
import dev.vigil.mirror.wire.Rejection;
import dev.vigil.mirror.wire.WireReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SenML in CBOR (RFC 8428 section 6). */
final class SenmlCbor {
  private SenmlCbor() {}

  static List<Item> read(byte[] octets) {
    CborReader cbor = new CborReader(new WireReader(octets));
    Fields.Source source = source(cbor);
    int size = cbor.array();
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Pack.requireRoom(items);
      Fields fields = new Fields();
      cbor.map(
          key -> {
            Label label =
                switch (key) {
                  case CborReader.IntKey(long number) -> Label.ofCbor(number);
                  case CborReader.TextKey(String name) -> {
                    if (Label.ofJson(name) != null) {
                      throw Rejection.malformed("a known SenML field stands as text");
                    }
                    Fields.unknown(name);
                    yield null;
                  }
                };
            if (label == null) {
              cbor.skip();
            } else {
              fields.read(label, source);
            }
          });
      items.add(fields.item());
    }
    cbor.end();
    return items;
  }

  private static Fields.Source source(CborReader cbor) {
    return new Fields.Source() {
      @Override
      public String text() {
        return cbor.text();
      }

      @Override
      public double number() {
        return cbor.number();
      }

      @Override
      public long integer() {
        return cbor.unsigned();
      }

      @Override
      public boolean bool() {
        return cbor.bool();
      }

      @Override
      public byte[] data() {
        return cbor.octets();
      }
    };
  }

  static byte[] write(List<Item> items) {
    CborWriter cbor = new CborWriter().array(items.size());
    for (Item item : items) {
      CborWriter fields = new CborWriter();
      int count = 0;
      count += text(fields, Label.BASE_NAME, item.baseName());
      count += number(fields, Label.BASE_TIME, item.baseTime());
      count += text(fields, Label.BASE_UNIT, item.baseUnit());
      count += number(fields, Label.BASE_VALUE, item.baseValue());
      count += number(fields, Label.BASE_SUM, item.baseSum());
      Long version = item.baseVersion();
      count += number(fields, Label.BASE_VERSION, version == null ? null : (double) version);
      count += text(fields, Label.NAME, item.name());
      count += text(fields, Label.UNIT, item.unit());
      count += value(fields, item.value());
      count += number(fields, Label.SUM, item.sum());
      count += number(fields, Label.TIME, item.time());
      count += number(fields, Label.UPDATE_TIME, item.updateTime());
      cbor.map(count).raw(fields.toOctets());
    }
    return cbor.toOctets();
  }

  private static int value(CborWriter fields, @Nullable Value value) {
    return switch (value) {
      case null -> 0;
      case Value.Number(double number) -> number(fields, Label.VALUE, number);
      case Value.Text(String text) -> text(fields, Label.STRING, text);
      case Value.Bool(boolean bool) -> {
        fields.integer(Label.BOOL.cbor).bool(bool);
        yield 1;
      }
      case Value.Data(byte[] octets) -> {
        fields.integer(Label.DATA.cbor).octets(octets);
        yield 1;
      }
    };
  }

  private static int text(CborWriter fields, Label label, @Nullable String value) {
    if (value == null) {
      return 0;
    }
    fields.integer(label.cbor).text(value);
    return 1;
  }

  private static int number(CborWriter fields, Label label, @Nullable Double value) {
    if (value == null) {
      return 0;
    }
    fields.integer(label.cbor).number(value);
    return 1;
  }
}

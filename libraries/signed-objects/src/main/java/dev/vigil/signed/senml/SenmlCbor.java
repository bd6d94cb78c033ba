package dev.vigil.signed.senml;

import dev.vigil.signed.SignedObjectException;
import dev.vigil.signed.cbor.CborReader;
import dev.vigil.signed.cbor.CborWriter;
import dev.vigil.signed.wire.WireReader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** SenML in CBOR (RFC 8428 section 6). */
final class SenmlCbor {
  private SenmlCbor() {}

  static List<SenmlRecord> read(byte[] octets) {
    CborReader cbor = new CborReader(new WireReader(octets));
    RecordFields.FieldReader in = fieldReader(cbor);
    int size = cbor.array();
    List<SenmlRecord> records = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      SenmlPack.requireCapacity(records);
      RecordFields fields = new RecordFields();
      cbor.map(
          key -> {
            SenmlLabel label =
                switch (key) {
                  case CborReader.IntKey(long number) -> SenmlLabel.ofCbor(number);
                  case CborReader.TextKey(String name) -> {
                    if (SenmlLabel.ofJson(name) != null) {
                      throw SignedObjectException.malformed(
                          "a SenML label has a number and is given as text");
                    }
                    RecordFields.requireSkippable(name);
                    yield null;
                  }
                };
            if (label == null) {
              cbor.skip();
            } else {
              fields.read(label, in);
            }
          });
      records.add(fields.toRecord());
    }
    cbor.end();
    return records;
  }

  private static RecordFields.FieldReader fieldReader(CborReader cbor) {
    return new RecordFields.FieldReader() {
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

  static byte[] write(List<SenmlRecord> records) {
    CborWriter cbor = new CborWriter().array(records.size());
    for (SenmlRecord record : records) {
      CborWriter fields = new CborWriter();
      int count = 0;
      count += text(fields, SenmlLabel.BASE_NAME, record.baseName());
      count += number(fields, SenmlLabel.BASE_TIME, record.baseTime());
      count += text(fields, SenmlLabel.BASE_UNIT, record.baseUnit());
      count += number(fields, SenmlLabel.BASE_VALUE, record.baseValue());
      count += number(fields, SenmlLabel.BASE_SUM, record.baseSum());
      Long version = record.baseVersion();
      count += number(fields, SenmlLabel.BASE_VERSION, version == null ? null : (double) version);
      count += text(fields, SenmlLabel.NAME, record.name());
      count += text(fields, SenmlLabel.UNIT, record.unit());
      count += value(fields, record.value());
      count += number(fields, SenmlLabel.SUM, record.sum());
      count += number(fields, SenmlLabel.TIME, record.time());
      count += number(fields, SenmlLabel.UPDATE_TIME, record.updateTime());
      cbor.map(count).raw(fields.toOctets());
    }
    return cbor.toOctets();
  }

  private static int value(CborWriter fields, @Nullable SenmlValue value) {
    return switch (value) {
      case null -> 0;
      case SenmlValue.Number(double number) -> number(fields, SenmlLabel.VALUE, number);
      case SenmlValue.Text(String text) -> text(fields, SenmlLabel.STRING, text);
      case SenmlValue.Bool(boolean bool) -> {
        fields.integer(SenmlLabel.BOOL.cbor).bool(bool);
        yield 1;
      }
      case SenmlValue.Data(byte[] octets) -> {
        fields.integer(SenmlLabel.DATA.cbor).octets(octets);
        yield 1;
      }
    };
  }

  private static int text(CborWriter fields, SenmlLabel label, @Nullable String value) {
    if (value == null) {
      return 0;
    }
    fields.integer(label.cbor).text(value);
    return 1;
  }

  private static int number(CborWriter fields, SenmlLabel label, @Nullable Double value) {
    if (value == null) {
      return 0;
    }
    fields.integer(label.cbor).number(value);
    return 1;
  }
}

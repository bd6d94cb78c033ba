package dev.vigil.gateway.northbound.sparkplug;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import dev.vigil.gateway.northbound.sparkplug.SparkplugMetric.Value;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Payloads of Sparkplug B (Sparkplug 3.0 section 6.4): the fields that an edge node writes, and the
 * fields that it reads in a command.
 */
final class SparkplugPayload {
  /** Fields of Payload. */
  private static final int TIMESTAMP = 1;

  private static final int METRICS = 2;
  private static final int SEQ = 3;

  /** Fields of Metric. */
  private static final int NAME = 1;

  private static final int METRIC_TIMESTAMP = 3;
  private static final int DATA_TYPE = 4;
  private static final int IS_HISTORICAL = 5;
  private static final int PROPERTIES = 9;
  private static final int LONG_VALUE = 11;
  private static final int DOUBLE_VALUE = 13;
  private static final int BOOLEAN_VALUE = 14;
  private static final int STRING_VALUE = 15;
  private static final int BYTES_VALUE = 16;

  /** Fields of PropertySet and PropertyValue. */
  private static final int KEYS = 1;

  private static final int VALUES = 2;
  private static final int PROPERTY_TYPE = 1;
  private static final int PROPERTY_LONG = 4;
  private static final int PROPERTY_STRING = 8;
  private static final int UINT64 = 8;
  private static final int STRING = 12;

  /** The name of the property from which hosts read units. */
  private static final String UNIT = "engUnit";

  /** The property with the endpoint's sequence number. */
  private static final String NUMBER = "seq";

  /** Marks a payload without a sequence number. */
  static final int NO_SEQ = -1;

  private SparkplugPayload() {}

  /** Writes the fields of a message. */
  @FunctionalInterface
  private interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Fields fields) {
    ByteArrayOutputStream octets = new ByteArrayOutputStream();
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(octets);
      fields.write(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return octets.toByteArray();
  }

  /**
   * @param timestamp of the sending, Unix time in milliseconds
   * @param seq 0 to 255, or {@link #NO_SEQ}
   */
  static byte[] write(long timestamp, int seq, List<SparkplugMetric> metrics) {
    return message(
        out -> {
          out.writeUInt64(TIMESTAMP, timestamp);
          for (SparkplugMetric metric : metrics) {
            out.writeByteArray(METRICS, write(metric));
          }
          if (seq != NO_SEQ) {
            out.writeUInt64(SEQ, seq);
          }
        });
  }

  private static byte[] write(SparkplugMetric metric) {
    return message(
        out -> {
          out.writeString(NAME, metric.name());
          out.writeUInt64(METRIC_TIMESTAMP, metric.timestamp());
          out.writeUInt32(DATA_TYPE, metric.value().dataType());
          if (metric.historical()) {
            out.writeBool(IS_HISTORICAL, true);
          }
          if (metric.unit() != null || metric.seq() > 0) {
            out.writeByteArray(PROPERTIES, properties(metric));
          }
          switch (metric.value()) {
            case Value.Int64(long value) -> out.writeUInt64(LONG_VALUE, value);
            case Value.Float64(double value) -> out.writeDouble(DOUBLE_VALUE, value);
            case Value.Bool(boolean value) -> out.writeBool(BOOLEAN_VALUE, value);
            case Value.Text(String value) -> out.writeString(STRING_VALUE, value);
            case Value.Octets(byte[] value) -> out.writeByteArray(BYTES_VALUE, value);
          }
        });
  }

  /** Writes the keys first, then their values in the same order. */
  private static byte[] properties(SparkplugMetric metric) {
    String unit = metric.unit();
    return message(
        out -> {
          if (unit != null) {
            out.writeString(KEYS, UNIT);
          }
          if (metric.seq() > 0) {
            out.writeString(KEYS, NUMBER);
          }
          if (unit != null) {
            out.writeByteArray(VALUES, text(unit));
          }
          if (metric.seq() > 0) {
            out.writeByteArray(VALUES, number(metric.seq()));
          }
        });
  }

  private static byte[] text(String value) {
    return message(
        out -> {
          out.writeUInt32(PROPERTY_TYPE, STRING);
          out.writeString(PROPERTY_STRING, value);
        });
  }

  private static byte[] number(long value) {
    return message(
        out -> {
          out.writeUInt32(PROPERTY_TYPE, UINT64);
          out.writeUInt64(PROPERTY_LONG, value);
        });
  }

  /**
   * Whether a received payload has a metric of that name with the value true.
   *
   * @throws IOException when the bytes are not a payload
   */
  static boolean isTrue(byte[] payload, String name) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(payload);
    boolean found = false;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == lengthDelimited(METRICS)) {
        found |= isTrueMetric(in.readByteArray(), name);
      } else {
        in.skipField(tag);
      }
    }
    return found;
  }

  private static boolean isTrueMetric(byte[] metric, String name) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(metric);
    boolean named = false;
    boolean value = false;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag == lengthDelimited(NAME)) {
        named = in.readString().equals(name);
      } else if (tag == varint(BOOLEAN_VALUE)) {
        value = in.readBool();
      } else {
        in.skipField(tag);
      }
    }
    return named && value;
  }

  private static int lengthDelimited(int field) {
    return field << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }

  private static int varint(int field) {
    return field << 3 | WireFormat.WIRETYPE_VARINT;
  }
}

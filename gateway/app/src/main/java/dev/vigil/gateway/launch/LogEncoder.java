package dev.vigil.gateway.launch;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import org.springframework.boot.logging.logback.StructuredLogEncoder;

/**
 * Encodes log events as lines of text, or as JSON objects of the Elastic Common Schema. Logback
 * sets its properties from {@code logback-spring.xml}.
 */
public final class LogEncoder extends EncoderBase<ILoggingEvent> {
  private Encoder<ILoggingEvent> encoder = new PatternLayoutEncoder();
  private String format = "";
  private String pattern = "";

  /**
   * @param format the setting {@code log.format}; any value but {@code json} is text, because the
   *     start refuses it later with a message
   */
  public void setFormat(String format) {
    this.format = format;
  }

  /**
   * @param pattern Logback's pattern of a line of text
   */
  public void setPattern(String pattern) {
    this.pattern = pattern;
  }

  @Override
  public void start() {
    if (format.equals("json")) {
      StructuredLogEncoder json = new StructuredLogEncoder();
      json.setFormat("ecs");
      encoder = json;
    } else {
      PatternLayoutEncoder text = new PatternLayoutEncoder();
      text.setPattern(pattern);
      text.setCharset(StandardCharsets.UTF_8);
      encoder = text;
    }
    encoder.setContext(getContext());
    encoder.start();
    super.start();
  }

  @Override
  public void stop() {
    encoder.stop();
    super.stop();
  }

  @Override
  public byte[] headerBytes() {
    return encoder.headerBytes();
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    return encoder.encode(event);
  }

  @Override
  public byte[] footerBytes() {
    return encoder.footerBytes();
  }
}

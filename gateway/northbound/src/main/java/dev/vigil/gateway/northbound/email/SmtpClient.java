package dev.vigil.gateway.northbound.email;

import dev.vigil.gateway.files.SecretFile;
import dev.vigil.gateway.files.TrustedAuthorities;
import jakarta.mail.Address;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.SendFailedException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Date;
import java.util.Properties;
import javax.net.ssl.SSLContext;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPTransport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends messages to one SMTP server, each over a separate connection. */
final class SmtpClient {
  private static final String END_OF_MESSAGE = ".";
  private static final Logger log = LoggerFactory.getLogger(SmtpClient.class);
  private static final String TIMEOUT_MILLIS = "20000";

  private final String property;
  private final EmailProperties settings;
  private final Session session;

  /** Thrown when the server refused a message permanently after it had read it. */
  static final class RefusedException extends IOException {
    @java.io.Serial private static final long serialVersionUID = 1L;

    RefusedException(String reason, MessagingException cause) {
      super(reason, cause);
    }
  }

  /**
   * @param property the prefix of the settings, for messages
   * @throws IOException with a message that begins with "cannot" and names the unusable file
   */
  SmtpClient(String property, EmailProperties settings) throws IOException {
    this.property = property;
    this.settings = settings;
    this.session = Session.getInstance(properties());
    password();
  }

  private Properties properties() throws IOException {
    String protocol = protocol();
    Properties properties = new Properties();
    properties.setProperty("mail.transport.protocol", protocol);
    String prefix = "mail." + protocol + ".";
    properties.setProperty(prefix + "host", settings.host());
    properties.setProperty(prefix + "port", Integer.toString(settings.port()));
    for (String timeout : new String[] {"connectiontimeout", "timeout", "writetimeout"}) {
      properties.setProperty(prefix + timeout, TIMEOUT_MILLIS);
    }
    properties.setProperty(prefix + "auth", Boolean.toString(!settings.username().isEmpty()));
    properties.setProperty(prefix + "starttls.enable", Boolean.toString(settings.starttls()));
    properties.setProperty(prefix + "starttls.required", Boolean.toString(settings.starttls()));
    properties.setProperty(prefix + "ssl.checkserveridentity", "true");
    // A nonexistent receiver must not prevent delivery to the others.
    properties.setProperty(prefix + "sendpartial", "true");
    if (!settings.ca().isEmpty()) {
      try {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(
            null,
            TrustedAuthorities.of("vigil." + property + ".ca", settings.ca()).getTrustManagers(),
            null);
        properties.put(prefix + "ssl.socketFactory", tls.getSocketFactory());
      } catch (GeneralSecurityException e) {
        throw new IOException("cannot use the certificates of vigil." + property, e);
      }
    }
    return properties;
  }

  private String protocol() {
    return settings.isSecure() ? "smtps" : "smtp";
  }

  /** Reads the file for each message, so that a new password needs no restart. */
  private String password() throws IOException {
    return settings.passwordFile().isEmpty()
        ? ""
        : SecretFile.read(property + ".password-file", "password", settings.passwordFile());
  }

  /**
   * Sends a message; on return the server has accepted it.
   *
   * @param id of the message; a repetition has the same id
   * @return the server's last answer, one line
   * @throws RefusedException if the server will never accept this message
   */
  String send(String id, Instant at, String subject, String body) throws IOException {
    try {
      MimeMessage message = message(id, at, subject, body);
      try (Transport transport = session.getTransport(protocol())) {
        if (settings.username().isEmpty()) {
          transport.connect();
        } else {
          transport.connect(settings.username(), password());
        }
        transport.sendMessage(message, message.getAllRecipients());
        return transport instanceof SMTPTransport smtp
            ? firstLine(smtp.getLastServerResponse())
            : "";
      } catch (SendFailedException e) {
        Address[] reached = e.getValidSentAddresses();
        if (reached == null || reached.length == 0) {
          throw e;
        }
        log.warn(
            "{}: the server refused {} of {} recipients: {}",
            property,
            settings.to().size() - reached.length,
            settings.to().size(),
            reason(e));
        return reason(e);
      }
    } catch (MessagingException e) {
      throw isRefusal(e) ? new RefusedException(reason(e), e) : new IOException(reason(e), e);
    }
  }

  /** Whether the message is at fault (RFC 5321 section 4.2.1), not the login or an address. */
  private static boolean isRefusal(MessagingException e) {
    return e instanceof SMTPSendFailedException failed
        && END_OF_MESSAGE.equals(failed.getCommand())
        && failed.getReturnCode() / 100 == 5;
  }

  private MimeMessage message(String id, Instant at, String subject, String body)
      throws MessagingException {
    MimeMessage message =
        new MimeMessage(session) {
          @Override
          protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", "<" + id + "@" + domain() + ">");
          }
        };
    message.setFrom(new InternetAddress(settings.from()));
    for (String one : settings.to()) {
      message.addRecipient(Message.RecipientType.TO, new InternetAddress(one));
    }
    message.setSubject(subject, StandardCharsets.UTF_8.name());
    message.setText(body, StandardCharsets.UTF_8.name());
    message.setSentDate(Date.from(at));
    // Suppresses automatic replies such as absence notes (RFC 3834).
    message.setHeader("Auto-Submitted", "auto-generated");
    message.saveChanges();
    return message;
  }

  private String domain() {
    return settings.from().substring(settings.from().indexOf('@') + 1);
  }

  /** The first line of the first cause with a message. */
  private static String reason(MessagingException thrown) {
    Throwable first = thrown;
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      first = t.getMessage() == null ? first : t;
    }
    String message = first.getMessage();
    return message == null ? first.getClass().getSimpleName() : firstLine(message);
  }

  private static String firstLine(@Nullable String text) {
    return text == null ? "" : text.lines().findFirst().orElse("").strip();
  }
}

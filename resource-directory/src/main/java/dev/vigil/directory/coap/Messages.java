package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.Option;
import org.eclipse.californium.core.coap.OptionSet;
import org.jspecify.annotations.Nullable;

/** Between Californium's messages and ours. */
final class Messages {
  private static final char NOT_UTF8 = '\ufffd';

  /** Bodies beyond this travel in blocks, whose reader needs a tag to tell states apart. */
  static final int ONE_MESSAGE = 1024;

  private Messages() {}

  /**
   * @throws ExchangeException 4.00, 4.02, 4.05, 4.06, 4.15 or 5.05, when no resource need be asked
   */
  static Request request(
      org.eclipse.californium.core.coap.Request message, Caller caller, String base) {
    OptionSet options = message.getOptions();
    refuseUnknownOptions(options);
    List<String> path = options.getUriPath();
    path.forEach(Messages::requirePathSegment);
    byte[] payload = message.getPayload();
    return new Request(
        method(message.getCode()),
        path,
        query(options.getUriQuery()),
        format(options, payload.length > 0),
        payload,
        accept(options),
        message.isConfirmable(),
        caller,
        base);
  }

  static org.eclipse.californium.core.coap.Response response(
      Response answer, List<byte[]> knownTags) {
    byte[] tag = tag(answer);
    boolean known = tag != null && answer.code() == Code.CONTENT && isAmong(knownTags, tag);
    var message =
        new org.eclipse.californium.core.coap.Response(code(known ? Code.VALID : answer.code()));
    OptionSet options = message.getOptions();
    if (tag != null) {
      options.addETag(tag);
    }
    if (answer.maxAge() != Response.NO_MAX_AGE) {
      options.setMaxAge(Math.clamp(answer.maxAge(), 0, 0xffff_ffffL));
    }
    answer.location().forEach(options::addLocationPath);
    if (!known) {
      if (answer.format() != null) {
        options.setContentFormat(answer.format().number());
      }
      message.setPayload(answer.payload());
    }
    return message;
  }

  private static boolean isAmong(List<byte[]> knownTags, byte[] tag) {
    for (byte[] known : knownTags) {
      if (Arrays.equals(known, tag)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The answer's own tag; for a long body without one a tag of its content (RFC 7959 section 2.4),
   * marked by a first octet that no {@link dev.vigil.directory.exchange.EntityTag} begins with.
   */
  private static byte @Nullable [] tag(Response answer) {
    if (answer.tag() != null) {
      return answer.tag().octets();
    }
    if (answer.code() != Code.CONTENT || answer.payload().length <= ONE_MESSAGE) {
      return null;
    }
    CRC32C sum = new CRC32C();
    sum.update(answer.payload());
    int length = answer.payload().length;
    long value = sum.getValue();
    return new byte[] {
      (byte) 0xff,
      (byte) (length >> 16),
      (byte) (length >> 8),
      (byte) length,
      (byte) (value >> 24),
      (byte) (value >> 16),
      (byte) (value >> 8),
      (byte) value
    };
  }

  private static CoAP.ResponseCode code(Code code) {
    return CoAP.ResponseCode.valueOf(code.octet());
  }

  private static Method method(CoAP.Code code) {
    return switch (code) {
      case GET -> Method.GET;
      case POST -> Method.POST;
      case PUT -> Method.PUT;
      case DELETE -> Method.DELETE;
      case FETCH, PATCH, IPATCH, CUSTOM_30 ->
          throw new ExchangeException(Code.METHOD_NOT_ALLOWED, "only GET, POST, PUT and DELETE");
    };
  }

  /**
   * The parser refuses critical options without a name; these have one, and nobody here heeds them
   * (RFC 7252 section 5.4.1).
   */
  private static void refuseUnknownOptions(OptionSet options) {
    if (options.getIfMatchCount() > 0 || options.hasIfNoneMatch()) {
      throw new ExchangeException(Code.BAD_OPTION, "If-Match and If-None-Match are not served");
    }
    if (options.hasOscore()) {
      throw new ExchangeException(Code.BAD_OPTION, "OSCORE is not served");
    }
    if (options.hasProxyUri() || options.hasProxyScheme()) {
      throw new ExchangeException(Code.PROXYING_NOT_SUPPORTED, "this is no forward proxy");
    }
    for (Option option : options.getOthers()) {
      if (option.isCritical()) {
        throw new ExchangeException(
            Code.BAD_OPTION, "option " + option.getNumber() + " is not known");
      }
    }
  }

  private static void requirePathSegment(String segment) {
    if (segment.indexOf(NOT_UTF8) >= 0 || segment.equals(".") || segment.equals("..")) {
      throw new ExchangeException(Code.BAD_REQUEST, "a path segment is malformed");
    }
  }

  private static Query query(List<String> options) {
    if (options.isEmpty()) {
      return Query.EMPTY;
    }
    return new Query(
        options.stream()
            .map(
                option -> {
                  if (option.isEmpty()
                      || option.charAt(0) == '='
                      || option.indexOf(NOT_UTF8) >= 0) {
                    throw new ExchangeException(Code.BAD_REQUEST, "a query parameter is malformed");
                  }
                  return Query.Parameter.parse(option);
                })
            .toList());
  }

  private static @Nullable ContentFormat format(OptionSet options, boolean hasPayload) {
    if (!options.hasContentFormat()) {
      return null;
    }
    int number = options.getContentFormat();
    ContentFormat format = ContentFormat.ofNumber(number).orElse(null);
    if (format == null && hasPayload) {
      throw new ExchangeException(
          Code.UNSUPPORTED_CONTENT_FORMAT, "content format " + number + " is not known");
    }
    return format;
  }

  private static List<ContentFormat> accept(OptionSet options) {
    if (!options.hasAccept()) {
      return List.of();
    }
    int number = options.getAccept();
    return List.of(
        ContentFormat.ofNumber(number)
            .orElseThrow(
                () ->
                    new ExchangeException(
                        Code.NOT_ACCEPTABLE, "content format " + number + " is not known")));
  }
}

package dev.vigil.directory.coap;

import dev.vigil.directory.exchange.Caller;
import dev.vigil.directory.exchange.Code;
import dev.vigil.directory.exchange.ContentFormat;
import dev.vigil.directory.exchange.ExchangeException;
import dev.vigil.directory.exchange.Method;
import dev.vigil.directory.exchange.Query;
import dev.vigil.directory.exchange.Request;
import dev.vigil.directory.exchange.Response;
import java.util.List;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.Option;
import org.eclipse.californium.core.coap.OptionSet;
import org.jspecify.annotations.Nullable;

/** Between Californium's messages and ours. */
final class Messages {
  private static final char NOT_UTF8 = '\ufffd';

  private Messages() {}

  /**
   * @throws ExchangeException 4.00, 4.02, 4.05, 4.06, 4.15 or 5.05, when no resource need be asked
   */
  static Request request(
      org.eclipse.californium.core.coap.Request message, Caller caller, String base) {
    OptionSet options = message.getOptions();
    refuseUnknownOptions(options);
    List<String> path = options.getUriPath();
    if (!path.stream().allMatch(Messages::isPathSegment)) {
      throw new ExchangeException(Code.BAD_REQUEST, "a path segment is malformed");
    }
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
    Reply reply = Reply.of(answer, knownTags);
    var message = new org.eclipse.californium.core.coap.Response(code(reply.code()));
    OptionSet options = message.getOptions();
    if (reply.tag() != null) {
      options.addETag(reply.tag());
    }
    if (reply.maxAge() != Response.NO_MAX_AGE) {
      options.setMaxAge(reply.maxAge());
    }
    reply.location().forEach(options::addLocationPath);
    if (reply.format() != null) {
      options.setContentFormat(reply.format().number());
    }
    message.setPayload(reply.payload());
    return message;
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

  static boolean isPathSegment(String segment) {
    return segment.indexOf(NOT_UTF8) < 0 && !segment.equals(".") && !segment.equals("..");
  }

  static boolean isParameter(String option) {
    return !option.isEmpty() && option.charAt(0) != '=' && option.indexOf(NOT_UTF8) < 0;
  }

  private static Query query(List<String> options) {
    if (options.isEmpty()) {
      return Query.EMPTY;
    }
    if (!options.stream().allMatch(Messages::isParameter)) {
      throw new ExchangeException(Code.BAD_REQUEST, "a query parameter is malformed");
    }
    return new Query(options.stream().map(Query.Parameter::parse).toList());
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

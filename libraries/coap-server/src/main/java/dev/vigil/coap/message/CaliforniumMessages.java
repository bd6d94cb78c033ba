package dev.vigil.coap.message;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.coap.exchange.Code;
import dev.vigil.coap.exchange.ContentFormat;
import dev.vigil.coap.exchange.ErrorResponseException;
import dev.vigil.coap.exchange.Method;
import dev.vigil.coap.exchange.Query;
import dev.vigil.coap.exchange.Request;
import dev.vigil.coap.exchange.Response;
import java.util.List;
import org.eclipse.californium.core.coap.CoAP;
import org.eclipse.californium.core.coap.Option;
import org.eclipse.californium.core.coap.OptionSet;
import org.jspecify.annotations.Nullable;

/** Converts Californium's requests to {@link Request}s, and {@link Response}s to Californium's. */
public final class CaliforniumMessages {
  /** The character that replaces octets that are not UTF-8. */
  private static final char REPLACEMENT = '\ufffd';

  private CaliforniumMessages() {}

  /**
   * @param base the base URI by which the client reached the server
   * @throws ErrorResponseException 4.00, 4.02, 4.05, 4.06, 4.15 or 5.05, which is the response to
   *     the request
   */
  public static Request request(
      org.eclipse.californium.core.coap.Request message, Caller caller, String base) {
    OptionSet options = message.getOptions();
    rejectUnsupportedOptions(options);
    List<String> path = options.getUriPath();
    if (!path.stream().allMatch(CaliforniumMessages::isPathSegment)) {
      throw new ErrorResponseException(Code.BAD_REQUEST, "a path segment is malformed");
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

  /**
   * @param knownTags the ETags in the request
   */
  public static org.eclipse.californium.core.coap.Response response(
      Response response, List<byte[]> knownTags) {
    return response(response, knownTags, RenderedResponse.MAX_PAYLOAD);
  }

  /**
   * @param knownTags the ETags in the request
   * @param maxPayload octets of the largest payload that is not sent in blocks
   */
  public static org.eclipse.californium.core.coap.Response response(
      Response response, List<byte[]> knownTags, int maxPayload) {
    RenderedResponse rendered = RenderedResponse.of(response, knownTags, maxPayload);
    var message = new org.eclipse.californium.core.coap.Response(code(rendered.code()));
    OptionSet options = message.getOptions();
    if (rendered.tag() != null) {
      options.addETag(rendered.tag());
    }
    if (rendered.maxAge() != Response.NO_MAX_AGE) {
      options.setMaxAge(rendered.maxAge());
    }
    rendered.location().forEach(options::addLocationPath);
    if (rendered.format() != null) {
      options.setContentFormat(rendered.format().number());
    }
    message.setPayload(rendered.payload());
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
          throw new ErrorResponseException(
              Code.METHOD_NOT_ALLOWED, "only GET, POST, PUT and DELETE are supported");
    };
  }

  /**
   * Rejects critical options that Californium's parser knows and this server does not support (RFC
   * 7252 section 5.4.1). The parser itself rejects critical options that it does not know.
   */
  private static void rejectUnsupportedOptions(OptionSet options) {
    if (options.getIfMatchCount() > 0 || options.hasIfNoneMatch()) {
      throw new ErrorResponseException(
          Code.BAD_OPTION, "If-Match and If-None-Match are not supported");
    }
    if (options.hasOscore()) {
      throw new ErrorResponseException(Code.BAD_OPTION, "OSCORE is not supported");
    }
    if (options.hasProxyUri() || options.hasProxyScheme()) {
      throw new ErrorResponseException(
          Code.PROXYING_NOT_SUPPORTED, "this server is not a forward proxy");
    }
    for (Option option : options.getOthers()) {
      if (option.isCritical()) {
        throw new ErrorResponseException(
            Code.BAD_OPTION, "option " + option.getNumber() + " is not known");
      }
    }
  }

  public static boolean isPathSegment(String segment) {
    return segment.indexOf(REPLACEMENT) < 0 && !segment.equals(".") && !segment.equals("..");
  }

  public static boolean isParameter(String option) {
    return !option.isEmpty() && option.charAt(0) != '=' && option.indexOf(REPLACEMENT) < 0;
  }

  private static Query query(List<String> options) {
    if (options.isEmpty()) {
      return Query.EMPTY;
    }
    if (!options.stream().allMatch(CaliforniumMessages::isParameter)) {
      throw new ErrorResponseException(Code.BAD_REQUEST, "a query parameter is malformed");
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
      throw new ErrorResponseException(
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
                    new ErrorResponseException(
                        Code.NOT_ACCEPTABLE, "content format " + number + " is not known")));
  }
}

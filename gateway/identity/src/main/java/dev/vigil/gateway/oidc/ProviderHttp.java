package dev.vigil.gateway.oidc;

import dev.vigil.gateway.files.TrustedAuthorities;
import java.io.IOException;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.http.converter.StringHttpMessageConverter;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.security.oauth2.client.http.OAuth2ErrorResponseErrorHandler;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** HTTP clients for the provider, with short timeouts and without redirects. */
final class ProviderHttp {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(10);

  private final JdkClientHttpRequestFactory requests;

  /**
   * @throws IOException with a message that begins with "cannot" and names the unusable file
   */
  ProviderHttp(String ca) throws IOException {
    HttpClient.Builder client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT);
    if (!ca.isEmpty()) {
      client.sslContext(tls(ca));
    }
    requests = new JdkClientHttpRequestFactory(client.build());
    requests.setReadTimeout(ANSWER);
  }

  private static SSLContext tls(String ca) throws IOException {
    String setting = "vigil." + OidcProperties.property() + ".ca";
    try {
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(null, TrustedAuthorities.of(setting, ca).getTrustManagers(), null);
      return tls;
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot use the certificates of " + setting, e);
    }
  }

  /** The client for metadata, keys and user info. */
  RestTemplate documents() {
    RestTemplate template =
        new RestTemplate(
            List.of(new StringHttpMessageConverter(), new JacksonJsonHttpMessageConverter()));
    template.setRequestFactory(requests);
    template.setInterceptors(List.of(ProviderHttp::requireAvailable));
    return template;
  }

  /** The client for tokens. */
  RestClient tokens() {
    return RestClient.builder()
        .requestFactory(requests)
        .requestInterceptor(ProviderHttp::requireAvailable)
        .configureMessageConverters(
            converters ->
                converters
                    .addCustomConverter(new FormHttpMessageConverter())
                    .addCustomConverter(new OAuth2AccessTokenResponseHttpMessageConverter()))
        .defaultStatusHandler(new OAuth2ErrorResponseErrorHandler())
        .build();
  }

  /**
   * Reports an error of the server as an unavailable provider, which proves nothing about users.
   */
  private static ClientHttpResponse requireAvailable(
      HttpRequest request, byte[] body, ClientHttpRequestExecution execution) throws IOException {
    ClientHttpResponse response = execution.execute(request, body);
    HttpStatusCode status = response.getStatusCode();
    if (status.is5xxServerError()) {
      response.close();
      throw new IOException("it answered " + status.value());
    }
    return response;
  }
}

package dev.vigil.gateway.http;

import dev.vigil.gateway.credentials.CredentialVerifier;
import dev.vigil.gateway.credentials.CredentialsFilter;
import dev.vigil.gateway.credentials.CrossSiteFilter;
import dev.vigil.gateway.exchange.ExchangeServlet;
import dev.vigil.gateway.metrics.MetricsProperties;
import dev.vigil.gateway.problems.Problem;
import dev.vigil.gateway.tls.HttpProperties;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.security.web.firewall.StrictHttpFirewall;

/**
 * The filter chains of Spring Security: metrics, the API with the resources that are also on CoAP,
 * and the web UI. A chain identifies the caller. The caller's rights depend on the domain of the
 * object, so each operation asks {@link dev.vigil.coap.exchange.Access#decide}.
 */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {
  @Bean
  @Order(1)
  SecurityFilterChain metricsChain(
      HttpSecurity http, HttpProperties settings, MetricsProperties metrics) {
    return stateless(http.securityMatcher("/actuator/prometheus/**", "/actuator/info/**"), settings)
        .authorizeHttpRequests(all -> all.anyRequest().access(new MetricsAccess(metrics.token())))
        .exceptionHandling(
            refused ->
                refused.authenticationEntryPoint(
                    (_, response, _) -> {
                      response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
                      response.setHeader("WWW-Authenticate", "Bearer realm=\"vigil\"");
                    }))
        .build();
  }

  @Bean
  @Order(2)
  SecurityFilterChain apiChain(
      HttpSecurity http, HttpProperties settings, CredentialVerifier verifier) {
    return stateless(
            http.securityMatchers(
                paths ->
                    paths
                        .requestMatchers("/api/**")
                        .requestMatchers(
                            ExchangeServlet.PATHS.stream()
                                .map(path -> path + "*")
                                .toArray(String[]::new))),
            settings)
        .cors(cors -> cors.configurationSource(new OtherSites(settings.allowedOrigins())))
        .addFilterBefore(CredentialsFilter.of(verifier), AnonymousAuthenticationFilter.class)
        .build();
  }

  @Bean
  @Order(3)
  SecurityFilterChain pageChain(HttpSecurity http, HttpProperties settings) {
    return stateless(http, settings).build();
  }

  /**
   * No HTTP session, no login page. The headers that protect browsers are set before Tomcat looks
   * at a request, see {@link SecurityHeadersAdapter}.
   */
  private static HttpSecurity stateless(HttpSecurity http, HttpProperties settings) {
    return http.csrf(AbstractHttpConfigurer::disable)
        .addFilterAt(new CrossSiteFilter(settings.allowedOrigins()), CsrfFilter.class)
        .sessionManagement(s -> s.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .headers(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .requestCache(AbstractHttpConfigurer::disable)
        .servletApi(AbstractHttpConfigurer::disable);
  }

  /** Names of endpoints and resources may have any characters; Tomcat refuses encoded slashes. */
  @Bean
  StrictHttpFirewall firewall() {
    StrictHttpFirewall firewall = new StrictHttpFirewall();
    firewall.setUnsafeAllowAnyHttpMethod(true); // servlets answer 405 with the header Allow
    firewall.setAllowSemicolon(true);
    firewall.setAllowUrlEncodedSlash(true);
    firewall.setAllowUrlEncodedDoubleSlash(true);
    firewall.setAllowUrlEncodedPercent(true);
    firewall.setAllowUrlEncodedPeriod(true);
    return firewall;
  }

  /** {@code docs/metrics.md} lists the metrics of the gateway. */
  @Bean
  SecurityObservationSettings securityObservations() {
    return SecurityObservationSettings.noObservations();
  }

  @Bean
  RequestRejectedHandler requestRejectedHandler() {
    return (_, response, _) ->
        Problem.send(response, HttpServletResponse.SC_BAD_REQUEST, "the request is malformed");
  }
}

package dev.vigil.gateway.exchange;

import dev.vigil.coap.exchange.RequestDispatcher;
import dev.vigil.gateway.tls.HttpProperties;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class ExchangeConfiguration {
  @Bean
  ServletRegistrationBean<ExchangeServlet> exchangeServlet(
      RequestDispatcher dispatcher, HttpProperties http) {
    ExchangeServlet servlet = new ExchangeServlet(dispatcher, http.maxBody());
    return new ServletRegistrationBean<>(servlet, ExchangeServlet.PATHS.toArray(String[]::new));
  }
}

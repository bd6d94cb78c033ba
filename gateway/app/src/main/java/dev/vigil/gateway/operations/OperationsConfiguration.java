package dev.vigil.gateway.operations;

import dev.vigil.gateway.config.VigilProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class OperationsConfiguration {
  @Bean
  FilterRegistrationBean<MetricsAccessFilter> metricsAccessFilter(VigilProperties properties) {
    FilterRegistrationBean<MetricsAccessFilter> filter =
        new FilterRegistrationBean<>(new MetricsAccessFilter(properties.metrics().token()));
    filter.addUrlPatterns("/actuator/prometheus", "/actuator/info");
    return filter;
  }
}

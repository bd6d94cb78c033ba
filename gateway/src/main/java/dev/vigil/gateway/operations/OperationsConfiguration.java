package dev.vigil.gateway.operations;

import dev.vigil.gateway.config.VigilProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class OperationsConfiguration {
  @Bean
  FilterRegistrationBean<MetricsGuard> metricsGuard(VigilProperties properties) {
    FilterRegistrationBean<MetricsGuard> filter =
        new FilterRegistrationBean<>(new MetricsGuard(properties.metrics().token()));
    filter.addUrlPatterns("/actuator/prometheus");
    return filter;
  }
}

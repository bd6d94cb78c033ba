package dev.vigil.gateway.metrics;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class OperationsConfiguration {
  @Bean
  FilterRegistrationBean<MetricsAccessFilter> metricsAccessFilter(MetricsProperties metrics) {
    FilterRegistrationBean<MetricsAccessFilter> filter =
        new FilterRegistrationBean<>(new MetricsAccessFilter(metrics.token()));
    filter.addUrlPatterns("/actuator/prometheus", "/actuator/info");
    return filter;
  }
}

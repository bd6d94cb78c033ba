package dev.vigil.gateway.api;

import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

@Configuration(proxyBeanMethods = false)
class ApiConfiguration implements WebMvcConfigurer {
  /** Registers the filter in front of every filter that may read a parameter. */
  @Bean
  FilterRegistrationBean<MalformedQueryFilter> malformedQueryFilter() {
    FilterRegistrationBean<MalformedQueryFilter> filter =
        new FilterRegistrationBean<>(new MalformedQueryFilter());
    filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
    return filter;
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(new QueryParameterCheck()).addPathPatterns("/api/**");
  }
}

package dev.vigil.gateway.site;

import dev.vigil.directory.exchange.Resource;
import dev.vigil.directory.exchange.Site;
import dev.vigil.gateway.config.VigilProperties;
import dev.vigil.gateway.http.OtherSites;
import dev.vigil.gateway.http.SecurityHeaders;
import dev.vigil.gateway.http.SiteServlet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

@Configuration(proxyBeanMethods = false)
class SiteConfiguration {
  @Bean
  Site site(List<Mount> mounts) {
    Map<String, Resource> resources = new HashMap<>();
    for (Mount mount : mounts) {
      mount
          .resources()
          .forEach(
              (path, resource) -> {
                if (resources.put(path, resource) != null) {
                  throw new IllegalStateException("two resources want " + path);
                }
              });
    }
    return new Site(resources);
  }

  @Bean
  ServletRegistrationBean<SiteServlet> siteOverHttp(Site site, VigilProperties properties) {
    SiteServlet servlet = new SiteServlet(site, properties.http().maxBody());
    return new ServletRegistrationBean<>(servlet, SiteServlet.PATHS.toArray(String[]::new));
  }

  @Bean
  FilterRegistrationBean<SecurityHeaders> securityHeaders() {
    FilterRegistrationBean<SecurityHeaders> filter =
        new FilterRegistrationBean<>(new SecurityHeaders());
    filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
    return filter;
  }

  @Bean
  FilterRegistrationBean<OtherSites> otherSites() {
    FilterRegistrationBean<OtherSites> filter = new FilterRegistrationBean<>(new OtherSites());
    filter.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
    return filter;
  }
}

package dev.vigil.gateway.page;

import java.time.Duration;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Caching of the web page. Scripts and styles have a digest in their names and never change. The
 * page itself is not cached and has no Last-Modified. Every entry of a reproducible jar has the
 * same date, so a browser would keep the page of an earlier version.
 */
@Configuration(proxyBeanMethods = false)
class PageConfiguration implements WebMvcConfigurer {
  private static final CacheControl FOR_EVER =
      CacheControl.maxAge(Duration.ofDays(365)).immutable();

  @Override
  public void addResourceHandlers(ResourceHandlerRegistry registry) {
    registry
        .addResourceHandler("/assets/**")
        .addResourceLocations("classpath:/static/assets/")
        .setCacheControl(FOR_EVER);
    registry
        .addResourceHandler(
            "/",
            "/index.html",
            "/reference.html",
            "/wallboard.html",
            "/icon.svg",
            "/manifest.json",
            "/notifications.js",
            "/third-party-licenses.md")
        .addResourceLocations("classpath:/static/")
        .setUseLastModified(false)
        .setCacheControl(CacheControl.noStore());
  }
}

package dev.vigil.gateway.page;

import java.time.Duration;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * How long browsers may keep the page. Its scripts and styles bear a digest in their names and
 * never change. The page itself is always asked for anew, and without Last-Modified: every entry of
 * a reproducible jar has the same date, by which a browser would keep the page of the version
 * before.
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
        .addResourceHandler("/", "/index.html", "/icon.svg", "/third-party-licenses.md")
        .addResourceLocations("classpath:/static/")
        .setUseLastModified(false)
        .setCacheControl(CacheControl.noStore());
  }
}

package dev.vigil.gateway.openapi;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Stream;
import org.springdoc.core.configuration.SpringDocConfiguration;
import org.springdoc.core.properties.SpringDocConfigProperties;
import org.springdoc.webmvc.core.configuration.SpringDocWebMvcConfiguration;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.ConfigurationPropertiesAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.web.context.servlet.AnnotationConfigServletWebApplicationContext;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.mock.web.MockServletContext;
import org.springframework.objenesis.SpringObjenesis;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/**
 * Asks springdoc what the controllers declare. They are made without calling their constructors,
 * since only their annotations matter here.
 */
final class ControllerScan {
  private static final String PACKAGE = "dev.vigil.gateway";

  private ControllerScan() {}

  /** Not a component, so that the component scans of tests that start gateways ignore it. */
  @EnableWebMvc
  @ImportAutoConfiguration({
    ConfigurationPropertiesAutoConfiguration.class,
    SpringDocConfiguration.class,
    SpringDocConfigProperties.class,
    SpringDocWebMvcConfiguration.class
  })
  static class Settings {}

  /** An OpenAPI document in JSON, whose schemas have the names of their classes with packages. */
  static String describe() {
    AnnotationConfigServletWebApplicationContext context =
        new AnnotationConfigServletWebApplicationContext();
    context.setServletContext(new MockServletContext());
    TestPropertyValues.of(
            "springdoc.api-docs.path=/scan",
            "springdoc.paths-to-match=/api/**",
            "springdoc.use-fqn=true",
            "springdoc.api-docs.version=openapi_3_1",
            "springdoc.default-produces-media-type=application/json",
            "springdoc.default-flat-param-object=true",
            "springdoc.override-with-generic-response=false")
        .applyTo(context);
    context.register(Settings.class);
    SpringObjenesis objenesis = new SpringObjenesis();
    controllers().forEach(type -> register(context, objenesis, type));
    context.refresh();
    try {
      return MockMvcBuilders.webAppContextSetup(context)
          .build()
          .perform(get("/scan"))
          .andReturn()
          .getResponse()
          .getContentAsString(StandardCharsets.UTF_8);
    } catch (Exception e) {
      throw new IllegalStateException("the controllers cannot be described", e);
    }
  }

  private static Stream<? extends Class<?>> controllers() {
    ClassPathScanningCandidateComponentProvider scan =
        new ClassPathScanningCandidateComponentProvider(false);
    scan.addIncludeFilter(new AnnotationTypeFilter(RestController.class));
    Set<BeanDefinition> found = scan.findCandidateComponents(PACKAGE);
    return found.stream()
        .map(BeanDefinition::getBeanClassName)
        .sorted()
        .map(name -> ClassUtils.resolveClassName(name, null));
  }

  private static <T> void register(
      AnnotationConfigServletWebApplicationContext context,
      SpringObjenesis objenesis,
      Class<T> type) {
    context.registerBean(type.getName(), type, () -> objenesis.newInstance(type));
  }
}

package dev.vigil.gateway;

import dev.vigil.gateway.wiring.VigilProperties;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;

/**
 * The Spring application of the verb {@code run}. The build writes its bean definitions as code
 * (goal process-aot), and the launcher uses this code with {@code -Dspring.aot.enabled=true}. The
 * build therefore decides conditions on properties, so our beans have none. There is no default
 * user.
 */
@SpringBootApplication(exclude = UserDetailsServiceAutoConfiguration.class)
@EnableConfigurationProperties(VigilProperties.class)
public class GatewayApplication {
  /** Entry of the build step, which stops before any bean is made. */
  static void main(String[] args) {
    SpringApplication.run(GatewayApplication.class, args);
  }
}

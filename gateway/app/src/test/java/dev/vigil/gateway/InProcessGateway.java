package dev.vigil.gateway;

import dev.vigil.gateway.credentials.CheapHasher;
import dev.vigil.gateway.credentials.PasswordHasher;
import dev.vigil.gateway.listening.ListeningAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The whole gateway in the test's process, on free ports. Only its hashes of passwords are cheap.
 */
public final class InProcessGateway implements AutoCloseable {
  private final ConfigurableApplicationContext context;
  private final List<String> addresses;

  public InProcessGateway(Path dataDir, String... more) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--vigil.data-dir=" + dataDir);
    arguments.add("--vigil.coap.port=0");
    arguments.add("--vigil.coap.addresses=127.0.0.1");
    arguments.add("--vigil.http.port=0");
    arguments.addAll(List.of(more));
    SpringApplication spring = new SpringApplication(GatewayApplication.class);
    // Names the bean definitions of the build.
    spring.setMainApplicationClass(GatewayApplication.class);
    spring.addInitializers(
        made -> made.getBeanFactory().addBeanPostProcessor(new CheapPasswords()));
    context = spring.run(arguments.toArray(String[]::new));
    addresses =
        context
            .getBeanProvider(ListeningAddress.class)
            .orderedStream()
            .flatMap(listening -> listening.addresses().stream())
            .toList();
  }

  private static final class CheapPasswords implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
      return bean instanceof PasswordHasher ? CheapHasher.create() : bean;
    }
  }

  public String address(String scheme) {
    return addresses.stream()
        .filter(address -> address.startsWith(scheme + ":"))
        .findFirst()
        .orElseThrow();
  }

  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  public <T> T bean(String name, Class<T> type) {
    return context.getBean(name, type);
  }

  @Override
  public void close() {
    context.close();
  }
}

package dev.vigil.gateway;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the gateway. */
@SpringBootApplication
public class Main {
  static void main(String[] args) {
    SpringApplication.run(Main.class, args);
  }
}

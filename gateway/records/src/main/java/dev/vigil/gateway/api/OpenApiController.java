package dev.vigil.gateway.api;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Serves the OpenAPI document that the build wrote, without authentication. */
@RestController
class OpenApiController {
  private static final String FOLDER = "META-INF/openapi/";

  @GetMapping(path = "/v3/api-docs", produces = MediaType.APPLICATION_JSON_VALUE)
  Resource json() {
    return new ClassPathResource(FOLDER + "openapi.json");
  }

  @GetMapping(path = "/v3/api-docs.yaml", produces = "application/vnd.oai.openapi")
  Resource yaml() {
    return new ClassPathResource(FOLDER + "openapi.yaml");
  }
}

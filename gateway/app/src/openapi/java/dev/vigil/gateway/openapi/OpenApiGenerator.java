package dev.vigil.gateway.openapi;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the OpenAPI document: {@code openapi.json} and {@code openapi.yaml} in each of the
 * folders. Arguments: the module's folder, the version, the folders.
 */
final class OpenApiGenerator {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private OpenApiGenerator() {}

  static void main(String[] args) throws IOException {
    Path module = Path.of(args[0]);
    ObjectNode document = document(module, args[1]);
    for (int i = 2; i < args.length; i++) {
      Path folder = Files.createDirectories(Path.of(args[i]));
      Files.writeString(folder.resolve("openapi.json"), JSON.writeValueAsString(document) + "\n");
      Files.writeString(folder.resolve("openapi.yaml"), yaml(document));
    }
    // The context of the controllers stays open: they were made without their parts.
    System.exit(0);
  }

  private static ObjectNode document(Path module, String version) throws IOException {
    ObjectNode document = (ObjectNode) JSON.readTree(ControllerScan.describe());
    new RecordSchemas(document, SourceComments.ofModules(module.resolve(".."))).complete();
    SchemaNames.shorten(document);
    BaseDocument base = new BaseDocument(read(module.resolve("src/openapi/base.yaml")));
    base.mergeInto(document, version);
    new Operations(base, AccessTable.read(module.resolve("src/test/resources/access-matrix.csv")))
        .complete(document);
    UnusedComponents.remove(document);
    return document;
  }

  private static ObjectNode read(Path file) throws IOException {
    LoaderOptions options = new LoaderOptions();
    options.setMaxAliasesForCollections(200);
    try (InputStream in = Files.newInputStream(file)) {
      Map<String, Object> loaded = new Yaml(new SafeConstructor(options)).load(in);
      // Through text, because aliases of YAML share their nodes.
      return (ObjectNode) JSON.readTree(JSON.writeValueAsString(loaded));
    }
  }

  private static String yaml(ObjectNode document) {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    return new Yaml(options).dump(JSON.convertValue(document, Map.class));
  }
}

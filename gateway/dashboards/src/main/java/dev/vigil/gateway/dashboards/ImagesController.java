package dev.vigil.gateway.dashboards;

import dev.vigil.coap.exchange.Caller;
import dev.vigil.gateway.api.RequestBodies;
import dev.vigil.gateway.callers.HttpCallers;
import dev.vigil.gateway.dashboards.images.ImageException;
import dev.vigil.gateway.dashboards.images.ImageFormat;
import dev.vigil.gateway.dashboards.images.PlanImage;
import dev.vigil.gateway.dashboards.images.PlanImages;
import dev.vigil.gateway.problems.ProblemException;
import dev.vigil.gateway.problems.ProblemType;
import dev.vigil.gateway.records.Audit;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Takes and serves the images of floor plans. */
@RestController
class ImagesController {
  private final DashboardRights rights;
  private final PlanImages images;
  private final UnusedImages unused;

  ImagesController(DashboardRights rights, PlanImages images, UnusedImages unused) {
    this.rights = rights;
    this.images = images;
    this.unused = unused;
  }

  /**
   * An uploaded image.
   *
   * @param image its name, for a tile: the SHA-256 of its octets in base64url
   * @param type media type, by its content
   * @param width in pixels
   */
  @Schema(name = "UploadedImage")
  record ImageJson(String image, String type, int width, int height) {}

  @Operation(
      operationId = "uploadDashboardImage",
      summary = "Stores an image for a floor plan of a dashboard",
      description =
          "PNG, JPEG or WebP, recognised by its content; at most 512 KiB and 4096 x 4096 pixels. A"
              + " tile of the kind plan names it. An image that no tile shows is removed: with the"
              + " tile, or some time after an hour if no tile was saved with it. A gateway keeps at"
              + " most 64 images, together at most 16 MiB.",
      requestBody =
          @RequestBody(
              required = true,
              content =
                  @Content(
                      mediaType = MediaType.APPLICATION_OCTET_STREAM_VALUE,
                      schema = @Schema(type = "string", format = "binary"))))
  @PostMapping("/api/dashboards/{id}/images")
  ImageJson upload(HttpServletRequest request, @PathVariable String id) throws IOException {
    Caller caller = HttpCallers.of(request);
    rights.operated(caller, id);
    byte[] octets = RequestBodies.read(request, PlanImages.MAX_OCTETS);
    // Another domain may have the dashboard since, or another dashboard of the id.
    Dashboard dashboard = rights.operated(caller, id).value();
    ImageFormat.Header header = header(octets);
    unused.sweep();
    String d = dashboard.d();
    Audit audit =
        new Audit(caller.label(), "uploaded an image to dashboard " + id, d == null ? "" : d);
    images.put(id, octets, header, audit).require("image of a floor plan");
    return new ImageJson(
        PlanImages.nameOf(octets), header.format().type(), header.width(), header.height());
  }

  private static ImageFormat.Header header(byte[] octets) {
    try {
      return ImageFormat.read(octets);
    } catch (ImageException e) {
      throw new ProblemException(ProblemType.INVALID_BODY, "the image " + e.getMessage());
    }
  }

  @Operation(
      operationId = "getDashboardImage",
      summary = "An image of a floor plan",
      description =
          "Viewers of the dashboard get the images that its tiles show; operators also get those"
              + " that no tile shows yet.",
      responses =
          @ApiResponse(
              responseCode = "200",
              content =
                  @Content(
                      mediaType = MediaType.APPLICATION_OCTET_STREAM_VALUE,
                      schema = @Schema(type = "string", format = "binary"))))
  @GetMapping("/api/dashboards/{id}/images/{image}")
  ResponseEntity<byte[]> image(
      HttpServletRequest request, @PathVariable String id, @PathVariable String image) {
    Caller caller = HttpCallers.of(request);
    if (unused.isUsed(id, image)) {
      rights.view(caller, id);
    } else {
      rights.operated(caller, id);
    }
    PlanImage found =
        images
            .get(id, image)
            .orElseThrow(
                () ->
                    new ProblemException(
                        ProblemType.NOT_FOUND, "the dashboard has no image of this name"));
    return ResponseEntity.ok()
        .contentType(MediaType.parseMediaType(found.type()))
        .eTag("\"" + image + "\"")
        .cacheControl(CacheControl.noCache().cachePrivate())
        .body(found.octets());
  }
}

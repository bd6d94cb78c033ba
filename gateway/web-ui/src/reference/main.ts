import "swagger-ui-dist/swagger-ui.css";
import "./reference.css";
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import { CSRF_HEADER } from "../gateway/api";

SwaggerUI({
  url: new URL("v3/api-docs", document.baseURI).href,
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  // Requests are sent with the rights of the browser's session, so the page sends none that change something.
  supportedSubmitMethods: ["get"],
  requestInterceptor: (request) => {
    request.headers[CSRF_HEADER] = "1";
    return request;
  },
  // Otherwise a request to another host checks the document.
  validatorUrl: null,
});

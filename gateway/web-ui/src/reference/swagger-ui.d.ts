declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Request {
    headers: Record<string, string>;
  }

  /** The options of Swagger UI that this project uses. */
  interface Options {
    url: string;
    dom_id: string;
    deepLinking: boolean;
    docExpansion: "list" | "full" | "none";
    filter: boolean;
    supportedSubmitMethods: string[];
    requestInterceptor: (request: Request) => Request;
    validatorUrl: null;
  }

  export default function SwaggerUI(options: Options): void;
}

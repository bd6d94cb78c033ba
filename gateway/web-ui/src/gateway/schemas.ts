import type { components } from "#openapi";

/** The JSON of the API by the names of its OpenAPI document, from which these types are generated. */
export type Schemas = components["schemas"];

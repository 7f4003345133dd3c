/** The OpenAPI document, with the parts of OpenAPI and JSON Schema that ours uses. */

export interface SchemaObject {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: SchemaObject;
  readonly items?: SchemaObject | false;
  readonly prefixItems?: readonly SchemaObject[];
  readonly anyOf?: readonly SchemaObject[];
  readonly oneOf?: readonly SchemaObject[];
  readonly allOf?: readonly SchemaObject[];
}

export type Content = Readonly<Record<string, { readonly schema?: SchemaObject; readonly example?: unknown }>>;

export interface ParameterObject {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: SchemaObject;
  readonly example?: unknown;
}

export interface OperationObject {
  readonly summary: string;
  readonly description?: string;
  readonly security?: unknown;
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>;
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaObject>>;
    readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  };
}

/** Requests generated from the OpenAPI document: valid, nearly valid, and invalid. */

import type { OpenApiDocument, OperationObject, ParameterObject } from "../../../scripts/types/open-api-document.ts";
import { type JsonValue, jsonText } from "../../../src/protocol/json.ts";
import { parseJson } from "../../../src/protocol/parse-json.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { damagedJson } from "../damaged-json.ts";
import { schemaValue, type ValueSource } from "./schema-values.ts";

export interface RestRequest {
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  /** The operation it was generated from. */
  readonly operation: RestOperation;
  /** True if it addresses exactly that operation, with values of the expected types. */
  readonly isRight: boolean;
  readonly hasKey: boolean;
}

export interface RestOperation {
  readonly method: string;
  readonly path: string;
  readonly isPrivate: boolean;
  readonly object: OperationObject;
}

export function operationsOf({ paths }: OpenApiDocument): readonly RestOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, object]) => ({
      method: method.toUpperCase(),
      path,
      isPrivate: object.security !== undefined,
      object,
    })),
  );
}

const WRONG_VALUE = 0.15;
const OMITTED_PARAMETER = 0.5;
const WRONG_BODY = 0.4;
const WRONG_TYPE = 0.05;
const WITH_EXAMPLE = 0.5;
const WITHOUT_KEY = 0.3;
/** Path of the request that stops the node when sent with the key. */
const endsNode = "/node/stop";
const MAX_BODY_BYTES = 200_000;
/** Invalid values of parameters. */
const wrongValues = [
  ...["", ".", "..", "0", "-1", "+1", "1.5", "1e3", "2147483648", "9223372036854775808", "NaN", "null", "true"],
  ...["%", "%00", "%2F", "%ZZ", "%E0%A4%A", "a/b", "é", "🦓", "\u0000", "__proto__", "constructor", "last", "at"],
  ...["0OIl", "1", "z".repeat(44), "z".repeat(88), "1".repeat(193), "y".repeat(2_000), "alias:R:abcd", "0x00", "WAVES"],
];
const accepts = ["application/json", "*/*", "application/json;large-significand-format=string"];
const wrongAccepts = ["text/html", "application/json;q=0", ",;=q", "application/json;large-significand-format=x"];
const wrongTypes = [
  "text/html",
  "",
  "application/x-www-form-urlencoded",
  "application/json;charset=x",
  "multipart/form-data",
];

export class RestRequestGenerator {
  readonly #source: ValueSource;
  readonly #operations: readonly RestOperation[];
  readonly #apiKey: string | undefined;

  /** @param options.apiKey undefined: private operations are requested without a key */
  constructor(
    document: OpenApiDocument,
    options: {
      readonly random: SeededRandom;
      readonly knownTexts: readonly string[];
      readonly apiKey: string | undefined;
    },
  ) {
    this.#operations = operationsOf(document);
    this.#source = { ...options, schemas: document.components.schemas };
    this.#apiKey = options.apiKey;
  }

  next(): RestRequest {
    const { random } = this.#source;
    const operation = random.pick(this.#operations);
    const parts = new RequestParts(operation, this.#source);
    const hasKey = this.#apiKey !== undefined && operation.path !== endsNode && !random.boolean(WITHOUT_KEY);
    const key = hasKey ? this.#apiKey : random.boolean(0.5) ? undefined : random.pick(["", "wrong", "x".repeat(5_000)]);
    const headers = { Accept: parts.accept(), ...parts.bodyHeaders, ...(key !== undefined && { "X-API-Key": key }) };
    return {
      method: operation.method,
      path: parts.path + parts.query,
      headers,
      body: parts.body,
      operation,
      isRight: parts.isRight,
      hasKey,
    };
  }
}

/** The parts of one request, in the order of generation; validity is known at the end. */
class RequestParts {
  readonly path: string;
  readonly query: string;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly bodyHeaders: Readonly<Record<string, string>>;
  isRight = true;
  readonly #source: ValueSource;

  constructor({ path, object }: RestOperation, source: ValueSource) {
    this.#source = source;
    const parameters = object.parameters ?? [];
    const inPath = new Map(parameters.filter((each) => each.in === "path").map((each) => [each.name, each]));
    this.path = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      this.#pathSegment(this.#valueOf(inPath.get(name) as ParameterObject)),
    );
    const used = parameters.filter(
      (each) => each.in === "query" && (each.required || !source.random.boolean(OMITTED_PARAMETER)),
    );
    const pairs = used.flatMap((each) => this.#textsOf(each).map((text) => `${each.name}=${encodeURIComponent(text)}`));
    this.query = pairs.length === 0 ? "" : `?${pairs.join("&")}`;
    const { text, type } = this.#makeBody(object);
    this.body = text;
    this.bodyHeaders = type === undefined ? {} : { "Content-Type": type };
  }

  accept(): string {
    const { random } = this.#source;
    if (!random.boolean(WRONG_TYPE)) return random.pick(accepts);
    this.isRight = false;
    return random.pick(wrongAccepts);
  }

  /** Some wrong values are sent unencoded: the node must handle such paths. */
  #pathSegment(text: string): string {
    if (this.#source.random.boolean(0.95)) return encodeURIComponent(text);
    this.isRight = false;
    return text.replace(/[^!-~]|[#?\\]/g, "");
  }

  #valueOf({ schema, example }: ParameterObject): string {
    const { random } = this.#source;
    if (random.boolean(WRONG_VALUE)) {
      this.isRight = false;
      return random.pick(wrongValues);
    }
    if (example !== undefined && random.boolean(WITH_EXAMPLE)) return String(example);
    const value = schemaValue(schema, this.#source);
    // A number may be below the schema's minimum; a text may be no id, or match another route.
    if (schema.type !== "boolean") this.isRight = false;
    return String(value);
  }

  #textsOf(parameter: ParameterObject): readonly string[] {
    const { schema, example } = parameter;
    if (schema.type !== "array") return [this.#valueOf(parameter)];
    const { random } = this.#source;
    const examples = (Array.isArray(example) ? example : []) as readonly string[];
    const items = schema.items === false ? {} : (schema.items ?? {});
    const count = random.pick([0, 1, 1, 2, 3, 120]);
    return Array.from({ length: count }, () =>
      this.#valueOf({ ...parameter, schema: items, example: examples.length > 0 ? random.pick(examples) : undefined }),
    );
  }

  #makeBody({ requestBody }: OperationObject): { text: Uint8Array<ArrayBuffer> | undefined; type: string | undefined } {
    const { random } = this.#source;
    if (requestBody === undefined) return { text: undefined, type: undefined };
    const [type, { schema = {}, example }] = random.pick(Object.entries(requestBody.content));
    const hasExample = example !== undefined && random.boolean(WITH_EXAMPLE);
    const value = hasExample ? (parseJson(JSON.stringify(example)) as JsonValue) : schemaValue(schema, this.#source);
    if (!hasExample) this.isRight = false;
    if (random.boolean(WRONG_TYPE)) {
      this.isRight = false;
      return { text: bytesOf(textOf(type, value)), type: random.pick(wrongTypes) };
    }
    if (!random.boolean(WRONG_BODY)) return { text: bytesOf(textOf(type, value)), type };
    this.isRight = false;
    return { text: new Uint8Array(damagedJson(parseJson(jsonText(value)), MAX_BODY_BYTES, random)), type };
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
}

function textOf(type: string, value: JsonValue): string {
  if (type === "application/x-www-form-urlencoded") return formText(value);
  return type === "text/plain" ? String(value) : jsonText(value);
}

function formText(value: JsonValue): string {
  const pairs = Object.entries(value as Readonly<Record<string, JsonValue>>).flatMap(([name, member]) =>
    (Array.isArray(member) ? (member as readonly JsonValue[]) : [member]).map((item) => [name, String(item)]),
  );
  return new URLSearchParams(pairs).toString();
}

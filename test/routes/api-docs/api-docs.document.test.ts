/** The document in a response. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { referenceVersion } from "../../../src/network/reference-version.ts";
import { allRoutes } from "../../../src/routes/all-routes.ts";
import { describeRoutes } from "../../../src/routes/api-docs/api-docs.ts";
import { devRoutes } from "../../../src/routes/dev/dev.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";

interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, unknown>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

let node: TestNode;
let text: string;
beforeAll(async () => {
  node = testNode({ database: d1Double().d1, network: fixtureText("private-a/network.json") });
  text = await (await node.fetch("/api-docs/openapi.json")).text();
});

describe("the document", () => {
  test("is OpenAPI 3.1", async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  test("refers only to schemas that it has, and has no unused ones", () => {
    const referred = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
    const { schemas } = (JSON.parse(text) as Document).components;
    expect([...referred].sort()).toEqual(Object.keys(schemas).sort());
  });

  test("says that bytes of any length may be long", () => {
    const { schemas } = (JSON.parse(text) as Document).components;
    const bytes = { $ref: "#/components/schemas/ByteString" };
    expect(schemas["BlockHeader"]).toMatchObject({
      properties: { stateHash: bytes, challengedHeader: { properties: { stateHash: bytes } } },
    });
    expect(schemas["ByteString"]).toMatchObject({ description: expect.stringContaining("base64") });
  });

  test("says which status has an empty list for an answer", () => {
    const { paths } = JSON.parse(text) as { paths: Record<string, { get: { responses: object } }> };
    const list = { "application/json": { schema: { type: "array", maxItems: 0 } } };
    expect(paths["/generators/at/{height}"]?.get.responses).toMatchObject({ 404: { content: list } });
  });

  test("has operations with names of their own", () => {
    const names = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test("names version and chain id", () => {
    const { info } = JSON.parse(text) as Document;
    expect(info).toMatchObject({ title: "Waves node (R)", version: referenceVersion });
  });

  test("numbers a chain whose id is no letter", () => {
    expect(describeRoutes(allRoutes, 55)).toMatchObject({ info: { title: "Waves node (#55)" } });
  });

  test("is the same as YAML", async () => {
    const response = await node.fetch("/api-docs/openapi.yaml", { headers: { Accept: "text/html" } });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("text/x-yaml");
    const yaml = await response.text();
    expect(yaml.startsWith("openapi: 3.1.1\n")).toBe(true);
    expect(parse(yaml)).toEqual(JSON.parse(text));
  });

  test("is JSON, whatever the client accepts", async () => {
    const response = await node.fetch("/api-docs/openapi.json", {
      headers: { Accept: "text/html", Origin: "http://page.test" },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("http://page.test");
  });
});

describe("the document of a dev chain", () => {
  const devNode = () => testNode({ database: d1Double().d1, network: "private", variables: { DEV_CHAIN: "on" } });
  const documentOf = async (asked: TestNode) =>
    (await (await asked.fetch("/api-docs/openapi.json")).json()) as Document & { readonly tags: { name: string }[] };

  test("is OpenAPI 3.1, and has all that other chains have", async () => {
    const document = await documentOf(devNode());
    expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true });
    expect(document.paths).toMatchObject((JSON.parse(text) as Document).paths);
  });

  test("has the controls, which no other has", async () => {
    const { paths, tags } = await documentOf(devNode());
    const controls = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, object>)
        .filter(([, operation]) => "tags" in operation && String(operation.tags) === "dev")
        .map(([method, operation]) => `${method.toUpperCase()} ${path} ${"security" in operation}`),
    );
    expect(controls.sort()).toEqual(devRoutes.map(({ info }) => `${info.method} ${info.path} true`).sort());
    expect(tags.map(({ name }) => name)).toContain("dev");
    expect(text).not.toContain("dev/");
    const bytes = { "application/octet-stream": { schema: { type: "string", format: "binary" } } };
    expect(paths["/dev/dump"]).toMatchObject({ get: { responses: { 200: { content: bytes } } } });
    expect(paths["/dev/load"]).toMatchObject({ post: { requestBody: { content: bytes, required: true } } });
  });

  test("is on its page, as YAML too", async () => {
    const yaml = parse(await (await devNode().fetch("/api-docs/openapi.yaml")).text());
    expect(yaml).toEqual(await documentOf(devNode()));
  });
});

describe("the page", () => {
  test.each(["/", "/swagger", "/api-docs", "/api-docs/"])("%s leads there", async (path) => {
    const response = await node.fetch(path, { headers: { Accept: "text/html" }, redirect: "manual" });
    expect(response.status).toBe(308);
    expect(response.headers.get("Location")).toBe("/api-docs/index.html");
    expect(response.headers.get("Content-Type")).toBe("text/html; charset=UTF-8");
    expect(await response.text()).toBe(
      'The request, and all future requests should be repeated using <a href="/api-docs/index.html">this URI</a>.',
    );
    expect((await node.fetch(path, { method: "PUT", redirect: "manual" })).status).toBe(308);
  });

  test.each(["/swagger/", "/api-docs//", "/api-docs/nothing"])("%s does not", async (path) => {
    expect((await node.fetch(path)).status).toBe(404);
  });
});

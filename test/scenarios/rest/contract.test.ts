/** Contract, router and document compared with each other. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/protocol/json.ts";
import { allRoutes } from "../../../src/routes/all-routes.ts";
import { describeRoutes } from "../../../src/routes/api-docs/api-docs.ts";
import { additions, contract } from "../../support/fixtures/rest/contract.ts";

const notes = join(import.meta.dirname, "../../../docs/protocol/rest-api.md");
const methods = ["get", "post", "delete"] as const;

type Item = Readonly<Record<string, { readonly security?: unknown }>>;
const document = describeRoutes(allRoutes, 82) as JsonObject & { readonly paths: Readonly<Record<string, Item>> };

const documented = Object.entries(document.paths).flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const operation = item[method];
    if (operation === undefined) return [];
    return `${method.toUpperCase()} ${path}${operation.security === undefined ? "" : " 🔒"}`;
  }),
);

const sorted = (list: Iterable<string>) => [...list].sort();

describe("contract, router and document", () => {
  test("the document has the contract's endpoints with its locks, and ours", () => {
    const expected = new Set([...contract, ...additions.map(([endpoint]) => endpoint)]);
    expect(sorted(documented)).toEqual(sorted(expected));
  });

  test("every route is in the document, or says why it is not", () => {
    const described = allRoutes.filter(({ info }) => !("unlisted" in info.description));
    const paths = new Set(described.map(({ info }) => info.path.replace(/:(\w+)/g, "{$1}")));
    expect(sorted(paths)).toEqual(sorted(Object.keys(document.paths)));
    const unlisted = allRoutes.filter(({ info }) => "unlisted" in info.description).map(({ info }) => info.path);
    expect(unlisted).toEqual([
      "/blocks/headers/:id/*",
      "/blocks/:id/*",
      "/addresses/:address/*",
      "/addresses/*",
      "/transactions/status",
      "/transactions/unconfirmed/info",
      "/transactions/sign/:signerAddress/*",
      "/transactions/sign*",
      "/assets/:id/*",
      "/debug/rollback",
      "/debug/*",
      "/peers/connect",
      "/api-docs/openapi.json",
      "/api-docs/openapi.yaml",
      "/",
      "/swagger",
      "/api-docs",
      "/api-docs/node.json",
      "/api-docs/:file",
      "/explorer/explorer.js",
      "/explorer/explorer.css",
      "/explorer/signing.js",
      "/explorer/explorer.svg",
      "/explorer",
      "/explorer/*",
    ]);
  });

  test("the segments of a path and the kinds of its values have the same names", () => {
    for (const { info } of allRoutes) {
      const names = [...info.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect(names, info.path).toEqual(Object.keys(info.params ?? {}));
    }
  });

  test("the list of the contract is that of the protocol notes", () => {
    expect(sorted(contract)).toEqual(sorted(endpointsOfTables(readFileSync(notes, "utf8"))));
  });
});

/** First column of the tables of section 2. */
function endpointsOfTables(text: string): readonly string[] {
  const tables = text.slice(text.indexOf("## 2. Endpoints"), text.indexOf("## 3. JSON shapes"));
  return tables
    .split("\n")
    .filter((line) => line.startsWith("| ") && line.includes("`/"))
    .flatMap((line) => {
      const [, cell = ""] = line.split("|");
      // A path that means the lack of routes.
      if (cell.includes("*`")) return [];
      const verbs = cell.match(/\b(GET|POST|DELETE)\b/g) ?? ["GET"];
      const paths = [...cell.matchAll(/`(\/[^`]*)`/g)].map(([, path]) => path);
      return verbs.flatMap((verb) => paths.map((path) => `${verb} ${path}${cell.includes("🔒") ? " 🔒" : ""}`));
    });
}

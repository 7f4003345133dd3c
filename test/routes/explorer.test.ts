/** The explorer's single page under all its paths, and the files that it names. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { type TestNode, testNode } from "../support/builders/test-node.ts";
import { fixtureText } from "../support/fixtures/recorded-lines.ts";
import { recordedReadModel } from "../support/fixtures/rest/recorded-chain.ts";

let node: TestNode;
beforeAll(async () => {
  node = testNode({
    database: await recordedReadModel(),
    network: fixtureText("private-a/network.json"),
    assets: async (url) => new Response(`the bytes of ${url}`),
  });
});

const files = [
  ["explorer.js", "text/javascript; charset=utf-8"],
  ["explorer.css", "text/css; charset=utf-8"],
  ["explorer.svg", "image/svg+xml"],
  ["signing.js", "text/javascript; charset=utf-8"],
] as const;

test.each(files)("%s comes with its type, and for good under a name with a digest", async (name, type) => {
  const response = await node.fetch(`/explorer/${name}`);
  expect(await response.text()).toBe(`the bytes of http://assets/${name}`);
  expect(response.headers.get("Content-Type")).toBe(type);
  expect(response.headers.get("Cache-Control")).toBe("no-cache");
  const kept = await node.fetch(`/explorer/${name}?v=0123456789abcdef`);
  expect(kept.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
});

test.each([
  "",
  "/",
  "/block/1",
  "/account/3M/data",
  "/search?for=%3Cscript%3E",
  "?v=0123456789abcdef",
  "/explorer.html",
  "/..%2Fwrangler.toml",
])("/explorer%s is the page, which lets nothing else in", async (below) => {
  const response = await node.fetch(`/explorer${below}`, { headers: { Accept: "text/html" } });
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("the bytes of http://assets/explorer.html");
  expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("Cache-Control")).toBe("no-cache");
  const policy = response.headers.get("Content-Security-Policy");
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});

test.each(["/explorers", "/explorer.js"])("%s is none of its paths", async (url) => {
  expect((await node.fetch(url)).status).toBe(404);
});

test("every file that the page names is one of them", () => {
  const html = readFileSync(path.resolve(import.meta.dirname, "../../web/explorer/index.html"), "utf8");
  const named = [...html.matchAll(/(?:src|href)="\/explorer\/([\w.-]+)"/g)].map(([, name]) => name);
  const known: readonly string[] = files.map(([name]) => name);
  expect(named).toHaveLength(3);
  expect(named.filter((name) => !known.includes(String(name)))).toEqual([]);
});

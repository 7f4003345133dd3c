import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { networkOfBinding } from "../../../src/network/network-of-binding.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import { apiDocsFiles, apiDocsInfo } from "../../../src/routes/api-docs/api-docs-files.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";
import { fixtureText } from "../../support/fixtures/recorded-lines.ts";
import { recordedReadModel } from "../../support/fixtures/rest/recorded-chain.ts";

const requestedPaths: string[] = [];
let node: TestNode;
beforeAll(async () => {
  node = testNode({
    database: await recordedReadModel(),
    network: fixtureText("private-a/network.json"),
    assets: async (url) => {
      requestedPaths.push(url);
      return url.endsWith("/page.js") ? new Response(null, { status: 404 }) : new Response(`the bytes of ${url}`);
    },
  });
});

describe("the page's files", () => {
  test.each(Object.entries(apiDocsFiles))("%s comes with its type and lets nothing else in", async (name, type) => {
    if (name === "page.js") return expect((await node.fetch(`/api-docs/${name}`)).status).toBe(404);
    const response = await node.fetch(`/api-docs/${name}`, { headers: { Accept: "text/html" } });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(`the bytes of http://assets/${name}`);
    expect(response.headers.get("Content-Type")).toBe(type);
    expect(response.headers.get("Cache-Control")).toBe("no-cache");
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    const policy = response.headers.get("Content-Security-Policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  test("under a name with a digest they are kept for good", async () => {
    const response = await node.fetch("/api-docs/page.css?v=0123456789abcdef");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  });

  test.each(["/api-docs/nothing.html", "/api-docs/..%2Fwrangler.toml", "/api-docs/constructor", "/api-docs/page.css/"])(
    "%s is none of them, and is not looked for",
    async (url) => {
      requestedPaths.length = 0;
      expect((await node.fetch(url)).status).toBe(404);
      expect(requestedPaths).toEqual([]);
    },
  );

  test("every file that the page names is one of them", () => {
    const html = readFileSync(path.resolve(import.meta.dirname, "../../../web/api-docs/index.html"), "utf8");
    const named = [...html.matchAll(/(?:src|href)="([\w.-]+\.(?:js|css|png))"/g)].map(([, name]) => name);
    expect([...named, "index.html"].sort()).toEqual(Object.keys(apiDocsFiles).sort());
  });
});

describe("what the page shows of the node", () => {
  test("is the master account on the private network", () => {
    // The runner sets the listen address, on any network.
    for (const network of [privateNetwork, networkOfBinding("private", undefined, undefined, { LISTENS: "" })])
      expect(apiDocsInfo(network)).toEqual({
        network: "private",
        masterAccount: "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF",
      });
  });

  test("is no account on another network, whatever its name", async () => {
    expect(apiDocsInfo({ ...privateNetwork, blockchain: { ...privateNetwork.blockchain } })).toEqual({
      network: "private",
      masterAccount: null,
    });
    expect(await (await node.fetch("/api-docs/node.json")).json()).toEqual({ network: "custom", masterAccount: null });
  });
});

/** The API docs at /api-docs in a browser, as a person uses them. */
import { exchange, issue, libs, order } from "@waves/waves-transactions";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalNode, readyNode } from "../../../verification/local-node.ts";
import { chromiumPath, startBrowser } from "../../support/builders/browser.ts";
import { getJson } from "../../support/builders/started-node.ts";

const masterSeed = "waves private node seed with waves tokens";
const master = "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF";
const chainId = "R";
const largest = "9223372036854775807";
/** A double rounds it to 1000000000000000000: the largest price that an order may have. */
const highestPrice = "999999999999999999";
const openLock = "authorization button unlocked";
const closedLock = "authorization button locked";

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security?: unknown;
}

describe.skipIf(chromiumPath === undefined)("the page", () => {
  let node: LocalNode;
  let browser: Browser;
  let page: Page;
  let operations: readonly Operation[];
  /** The browser's requests to other hosts, and its error messages. */
  const errors: string[] = [];

  beforeAll(async () => {
    node = await readyNode(["--memory"]);
    const { paths } = await getJson<{ paths: Record<string, Record<string, Operation>> }>(
      `${node.url}/api-docs/openapi.json`,
    );
    operations = Object.values(paths).flatMap((item) => Object.values(item));
    browser = await startBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    // A shared machine may be slow; the runner's own limits are for the whole test.
    page.setDefaultTimeout(110_000);
    page.on(
      "console",
      (message) => message.type() === "error" && errors.push(`${message.text()} ${message.location().url}`),
    );
    page.on("pageerror", ({ message }) => errors.push(message));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`${node.url}/`) && !url.startsWith("data:")) errors.push(url);
    });
    await page.goto(`${node.url}/`);
    await page.waitForSelector("#operations.shown .opblock");
  });
  afterAll(async () => {
    await browser?.close();
    await node?.stop();
  });

  const blockOf = (operationId: string): Locator => page.locator(`.opblock[id$="-${operationId}"]`);

  /** Opens an operation, fills it in, and executes it. @returns status and body of the displayed response */
  async function tryOut(
    operationId: string,
    given: { readonly params?: Readonly<Record<string, string>>; readonly body?: string },
  ): Promise<{ readonly status: string; readonly body: string }> {
    const block = blockOf(operationId);
    if (!(await block.evaluate((element) => element.classList.contains("is-open")))) {
      await block.locator(".opblock-summary-control").click();
    }
    for (const [name, value] of Object.entries(given.params ?? {})) {
      await block.locator(`tr[data-param-name="${name}"] input`).fill(value);
    }
    if (given.body !== undefined) await block.locator("textarea.body-param__text").fill(given.body);
    const responded = page.waitForResponse(
      (response) => response.request().resourceType() === "fetch" && !isOwn(response.url()),
    );
    await block.locator("button.execute").click();
    await responded;
    const live = block.locator(".live-responses-table .response");
    await live.waitFor();
    return {
      status: ((await live.locator(".response-col_status").textContent()) ?? "").trim().split(/\s/)[0] ?? "",
      body: (await live.locator(".response-col_description .highlight-code code").first().textContent()) ?? "",
    };
  }

  /** Requests of the status line. */
  const isOwn = (url: string): boolean =>
    [`/addresses/balance/${master}`, "/blocks/headers/last", "/blocks/height", "/api-docs/node.json"].includes(
      new URL(url).pathname,
    );

  test("is the target of /, and shows every operation of the description, under the chain's name", async () => {
    expect(page.url()).toBe(`${node.url}/api-docs/index.html`);
    expect(await page.title()).toBe("Waves node (R)");
    expect(await page.locator(".opblock").count()).toBe(operations.length);
  });

  test("shows a lock on the private operations, and on no other", async () => {
    const locked = operations.filter(({ security }) => security !== undefined);
    expect(locked.length).toBeGreaterThan(0);
    expect(await page.locator(".opblock button.authorization__btn").count()).toBe(locked.length);
    for (const { operationId } of locked) {
      expect(await blockOf(operationId).getByLabel(openLock).count(), operationId).toBe(1);
    }
  });

  test("has links to the height, the last block and the master account on top", async () => {
    const links = page.locator("#links a");
    await expect.poll(() => links.first().textContent()).toMatch(/^Height \d+$/);
    expect(await links.nth(1).textContent()).toMatch(/^Last block \w{8}…$/);
    expect(await links.nth(2).textContent()).toMatch(new RegExp(`^Master account ${master} \\([\\d,]+ WAVES\\)$`));
    const targets = await links.evaluateAll((list) => list.map((link) => link.getAttribute("href")));
    expect(targets.slice(0, 3)).toEqual(["/blocks/height", "/blocks/last", `/addresses/balance/details/${master}`]);
    for (const target of targets)
      expect((await fetch(new URL(target ?? "", page.url()))).status, target ?? "").toBe(200);
  });

  test("tries a public operation on the node that it came from", async () => {
    const { status, body } = await tryOut("getBlocksHeadersAtHeight", { params: { height: "1" } });
    expect(status).toBe("200");
    expect(body).toContain('"height": 1');
    expect(JSON.parse(body)).toEqual(await getJson(`${node.url}/blocks/headers/at/1`));
  });

  test("tries a private operation once the key is typed in", async () => {
    const refused = await tryOut("getDebugStateWavesHeight", { params: { height: "1" } });
    expect(refused.status).toBe("403");
    await page.locator(".auth-wrapper button.authorize").click();
    await page.locator(".auth-container input").fill("waves-private-node");
    await page.locator(".auth-container button.authorize").click();
    await page.locator(".auth-container button.btn-done").click();
    expect(await page.locator(".opblock").getByLabel(openLock).count()).toBe(0);
    expect(await page.locator(".opblock").getByLabel(closedLock).count()).toBeGreaterThan(0);
    const sent = page.waitForRequest((request) => request.url().endsWith("/debug/stateWaves/1"));
    const { status, body } = await tryOut("getDebugStateWavesHeight", { params: { height: "1" } });
    expect(await (await sent).headerValue("X-API-Key")).toBe("waves-private-node");
    expect(status).toBe("200");
    expect(body).toContain(`"${master}": 10000000000000000`);
  });

  /** Exchange of the master account with itself. @returns the library's own text: 64-bit integers are bare digits */
  function exchangeText(assetId: string, senderPublicKey: string, price: string): string {
    const terms = { amount: 1, price, matcherPublicKey: senderPublicKey, matcherFee: 300_000, version: 3, chainId };
    const side = (orderType: "buy" | "sell") =>
      order({ ...terms, amountAsset: assetId, priceAsset: null, orderType } as never, masterSeed);
    const fees = { buyMatcherFee: 300_000, sellMatcherFee: 300_000, fee: 300_000 };
    const fields = {
      type: 7,
      version: 2,
      order1: side("buy"),
      order2: side("sell"),
      amount: 1,
      price,
      ...fees,
      chainId,
    };
    return libs.marshall.json.stringifyTx(exchange(fields as never, masterSeed) as never);
  }

  const timesIn = (text: string | null, price: string): number =>
    text?.match(new RegExp(`"price": ?${price}\\b`, "g"))?.length ?? 0;

  test("sends an order whose price no double holds as it was signed, and shows the node's response with it", async () => {
    const asset = issue(
      { name: "exact", description: "", quantity: 1, decimals: 0, reissuable: false, chainId },
      masterSeed,
    );
    const issued = await fetch(`${node.url}/transactions/broadcast`, {
      method: "POST",
      body: JSON.stringify(asset),
      headers: { "Content-Type": "application/json" },
    });
    expect(issued.status).toBe(200);
    const typed = exchangeText(asset.id, asset.senderPublicKey, highestPrice);
    expect(timesIn(typed, highestPrice)).toBe(3);
    const { status, body } = await tryOut("postTransactionsBroadcast", { body: typed });
    // The node has accepted it: its signatures are over these very numbers.
    expect(body).not.toContain('"error"');
    expect(status).toBe("200");
    expect(timesIn(body, highestPrice)).toBe(3);
  });

  test("keeps all digits of an order with 2^63-1 in both directions", async () => {
    const someAsset = "AXbaBkJNocyrVpwqTzD4TpUY8fQ6eeRto9k1m2bNCzXV";
    const typed = exchangeText(someAsset, "3DQKBnmYwPWegYAzejmGo2RZxMBkq42eYZnYqwmRK5Nm", largest);
    const sent: (string | null)[] = [];
    // No node accepts such a price; this one echoes the request.
    await page.route("**/debug/validate", async (route) => {
      sent.push(route.request().postData());
      await route.fulfill({ contentType: "application/json", body: route.request().postData() ?? "" });
    });
    const { body } = await tryOut("postDebugValidate", { body: typed });
    expect(sent).toEqual([typed]);
    expect(timesIn(body, largest)).toBe(3);
    expect(body.replace(/\s/g, "")).toBe(typed.replace(/\s/g, ""));
  });

  test("contacts no other host, and no error occurs in the browser", async () => {
    const picture = process.env["PAGE_PICTURE"];
    if (picture !== undefined) await page.screenshot({ path: picture, fullPage: false });
    // The response that was refused on purpose.
    expect(errors.filter((error) => !error.includes("403 (Forbidden)"))).toEqual([]);
  });
});

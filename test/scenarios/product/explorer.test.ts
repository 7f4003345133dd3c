/** The explorer in a browser, on a running node, as a person uses it. */
import { invokeScript, transfer } from "@waves/waves-transactions";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { type LocalNode, readyNode } from "../../../verification/local-node.ts";
import { chromiumPath, startBrowser } from "../../support/builders/browser.ts";
import {
  exactInteger,
  hostileText,
  makeExplorerChain,
  master,
  masterSeed,
} from "../../support/builders/explorer-chain.ts";
import {
  eventually,
  fastNetworkFile,
  getJson,
  sentAndConfirmed,
  temporaryFolder,
} from "../../support/builders/started-node.ts";

const phone = { width: 360, height: 740 };
const desktop = { width: 1280, height: 900 };

describe.skipIf(chromiumPath === undefined)("the explorer", () => {
  const folder = temporaryFolder();
  let node: LocalNode;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let chain: Awaited<ReturnType<typeof makeExplorerChain>>;
  /** The browser's requests to other hosts, and its error messages. */
  const errors: string[] = [];

  beforeAll(async () => {
    node = await readyNode([
      "--memory",
      "--network",
      fastNetworkFile(folder.path, { blockMs: 600, microBlockMs: 300 }),
    ]);
    chain = await makeExplorerChain(node.url);
    browser = await startBrowser();
    context = await browser.newContext({ viewport: desktop });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    page.on(
      "console",
      (message) => message.type() === "error" && errors.push(`${message.text()} ${message.location().url}`),
    );
    page.on("pageerror", ({ message }) => errors.push(message));
    page.on("request", (request) => {
      if (!request.url().startsWith(`${node.url}/`)) errors.push(request.url());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await node?.stop();
    folder.remove();
  });
  afterEach(() => expect(errors.splice(0)).toEqual([]));

  /** A browser without windows never hides a page: the test simulates it here. */
  const setHidden = (isHidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"))`,
    );
  const polled = <Value>(look: () => Value, message = "") => expect.poll(look, { message });
  const open = (path: string) => page.goto(`${node.url}/explorer${path}`);
  const card = (title: string) =>
    page.locator("section.card, details.card", { has: page.getByRole("heading", { name: title, exact: true }) });
  const fact = (name: string) =>
    page.locator(".facts > div", { has: page.locator("dt", { hasText: new RegExp(`^${name}$`) }) }).locator("dd");

  test("shows new transactions and blocks without reloading", async () => {
    await open("");
    await page.getByRole("heading", { name: "The chain now" }).waitFor();
    await page.evaluate("globalThis.isSamePage = true");
    const tx = transfer({ recipient: chain.buyer, amount: 4_2000_0001, chainId: "R" }, masterSeed);
    await sentAndConfirmed(node.url, tx);
    const row = card("Transactions").locator("li", { hasText: tx.id.slice(0, 6) });
    await row.waitFor();
    expect(await row.textContent()).toContain("4.20000001 WAVES");
    const { height } = await getJson<{ height: number }>(`${node.url}/blocks/height`);
    const newest = card("Blocks").locator("li a.height").first();
    await polled(async () => Number(await newest.textContent())).toBeGreaterThan(height);
    expect(await page.evaluate("globalThis.isSamePage")).toBe(true);
  });

  test("makes no requests while the page is hidden", async () => {
    await open("");
    await page.getByRole("heading", { name: "The chain now" }).waitFor();
    await page.locator(".pulse i").waitFor();
    await setHidden(true);
    const after = await getJson<{ height: number }>(`${node.url}/blocks/height`);
    const requests: string[] = [];
    const note = (request: { url(): string }) => requests.push(request.url());
    page.on("request", note);
    // Pending requests come first, with those that follow from them.
    await eventually(async () => {
      requests.length = 0;
      await page.waitForTimeout(2_000);
      return requests.length === 0 || undefined;
    });
    // Four blocks take several times the pause between two requests.
    await eventually(
      async () =>
        (await getJson<{ height: number }>(`${node.url}/blocks/height`)).height > after.height + 4 || undefined,
    );
    page.off("request", note);
    expect(requests).toEqual([]);
    await setHidden(false);
    await page.locator(".pulse", { hasText: new RegExp(`^Height of the chain: (?!${after.height}$)\\d+$`) }).waitFor();
  });

  test("goes through the blocks, back to the first, and shows a block with its transactions", async () => {
    await open("/blocks?before=4");
    await polled(() => page.locator("a.height").allTextContents()).toEqual(["3", "2", "1"]);
    await page.locator("a.height", { hasText: /^1$/ }).click();
    await page.getByRole("heading", { name: "1", exact: true }).waitFor();
    expect(await card("Transactions").textContent()).toContain("Genesis");
    expect(page.url()).toBe(`${node.url}/explorer/block/1`);
    await page.getByRole("link", { name: "2 →" }).click();
    await page.getByRole("heading", { name: "2", exact: true }).waitFor();
    expect(await fact("Generator").textContent()).toContain(master);
    expect(await fact("Votes").textContent()).toContain("WAVES");
    await page.goBack();
    await page.getByRole("heading", { name: "1", exact: true }).waitFor();
  });

  test("shows a call with the calls that it made, and the changes of each", async () => {
    await open(`/transaction/${chain.bought}`);
    const tree = card("What it called and changed").locator(".call-tree").first();
    await tree.waitFor();
    expect(await tree.locator(":scope > li > .head .call-text").textContent()).toBe('buy("a lamp", 2)');
    const inner = tree.locator(":scope > li > .call-tree > li");
    expect(await inner.locator(".call-text").allTextContents()).toEqual([
      'note(50000000, ["bought", "a lamp"])',
      "pay(50000000, true)",
    ]);
    expect(await inner.nth(1).textContent()).toContain("with 0.5 WAVES");
    expect(await inner.nth(0).locator(".data-entries tbody tr").allTextContents()).toEqual([
      "notedinteger50000000",
      'wordsstring"bought a lamp"',
    ]);
    expect(await tree.textContent()).toContain("1 Receipt");
    expect(await fact("Status").textContent()).toContain("Succeeded");
    expect(await fact("Fee").textContent()).toBe("1.005 WAVES");
  });

  test("runs a call again on the current state, with the values of its script", async () => {
    await open(`/transaction/${chain.bought}`);
    await page.getByText("Run it again, with its values").click();
    const again = card("Run it again, with its values");
    await again.getByText("Values on the way").click();
    const values = again.locator(".variables > ol > li");
    await values.first().waitFor();
    const texts = await values.allTextContents();
    expect(texts).toContain("paid100000000");
    expect(texts).toContain("price50000000");
  });

  test("shows why a call failed, and the computed values of a failing script", async () => {
    await open(`/transaction/${chain.failed}`);
    expect(await fact("Status").textContent()).toContain("Failed");
    expect(await fact("Error").textContent()).toContain(hostileText);
    await page.getByText("Run it again, with its values").click();
    const spent = card("Run it again, with its values").locator(".variables li", { hasText: /^spent36$/ });
    await spent.waitFor();
  });

  test("shows why the node would refuse a transaction, with the values of the scripts that it runs", async () => {
    await open("/check");
    const args = [
      { type: "integer" as const, value: -5 },
      { type: "list" as const, value: [{ type: "string" as const, value: hostileText }] },
    ];
    const call = { function: "note", args };
    const tx = invokeScript({ dApp: chain.vault, call, fee: 500_000, chainId: "R" } as never, chain.buyerSeed);
    await page.getByLabel("A signed transaction, as JSON").fill(JSON.stringify(tx));
    await page.getByRole("button", { name: "Check" }).click();
    const verdict = card("Verdict");
    await verdict.getByText("Not valid").waitFor();
    expect(await verdict.locator(".trace .head").last().textContent()).toContain("note(-5, [");
    expect(await verdict.locator(".trace .fault").last().textContent()).toContain("an amount below zero: -5");
    expect(await verdict.locator(".variables > ol > li").allTextContents()).toContain("amount-5");
    await page.getByLabel("A signed transaction, as JSON").fill("{");
    await page.getByRole("button", { name: "Check" }).click();
    await page.getByText("This is not JSON").waitFor();
  });

  test("shows an account: balances, alias, assets, NFTs, leases", async () => {
    await open(`/account/${chain.buyer}`);
    await page.locator(".alias", { hasText: chain.alias }).waitFor();
    const { available } = await getJson<{ available: number }>(`${node.url}/addresses/balance/details/${chain.buyer}`);
    const figures = page.locator(".figure .value");
    await polled(async () => (await figures.nth(1).textContent())?.replace(/[,. WAVES]/g, "").replace(/^0+/, "")).toBe(
      String(available).replace(/0+$/, ""),
    );
    await page.getByRole("link", { name: "Assets" }).click();
    const gold = page.locator(".assets li", { hasText: "<b>Gold</b>" });
    await gold.waitFor();
    expect(await gold.locator(".amount b").first().textContent()).toBe("1.23456889");
    await page.getByRole("link", { name: "NFTs" }).click();
    await page.locator(".nfts li", { hasText: "Picture" }).waitFor();
    expect(await page.locator(".nfts li").count()).toBe(2);
    await page.getByRole("link", { name: "Leases" }).click();
    await page.locator(".leases li", { hasText: "3 WAVES" }).waitFor();
  });

  test("shows the finalized height, and the committed generators", async () => {
    await open("/generators");
    await page.getByText("Nobody has committed to this period").waitFor();
    await page.getByText("Nobody has committed to the next period yet").waitFor();
    const signed = await fetch(`${node.url}/transactions/sign`, {
      method: "POST",
      headers: { "X-API-Key": "waves-private-node", "Content-Type": "application/json" },
      body: JSON.stringify({ type: 19, sender: master }),
    });
    const commitment = (await signed.json()) as { id: string; endorserPublicKey: string; senderPublicKey: string };
    await sentAndConfirmed(node.url, commitment);
    const next = card("Next").locator("li", { hasText: master });
    await next.waitFor();
    expect(await next.textContent()).toContain(commitment.id.slice(0, 6));
    await open(`/transaction/${commitment.id}`);
    await page.getByRole("heading", { name: "Balances and all else after it" }).click();
    const after = page.locator(".changes section", { hasText: "Committed to generate in the next period" });
    await after.locator("li", { hasText: commitment.endorserPublicKey.slice(0, 6) }).waitFor();
    const key = after.getByRole("link", { name: commitment.senderPublicKey.slice(0, 6) });
    expect(await key.getAttribute("href")).toBe(`/explorer/search?for=${commitment.senderPublicKey}`);
  });

  test("shows hundreds of generators, and those that endorse a block, a hundred at a time", async () => {
    const members = Array.from({ length: 300 }, (_, index) => ({
      address: encodeBase58(
        new Uint8Array(26)
          .fill(1)
          .with(5, index >> 8)
          .with(6, index & 255),
      ),
      transactionId: encodeBase58(
        new Uint8Array(32)
          .fill(2)
          .with(5, index >> 8)
          .with(6, index & 255),
      ),
      balance: 1_000_000_000_000 - index,
    }));
    const block = await getJson<{ height: number; generator: string }>(`${node.url}/blocks/at/2`);
    const voting = {
      endorserIndexes: Array.from({ length: 128 }, (_, index) => 2 * index),
      finalizedHeight: 1,
      conflictEndorsements: [{ endorserIndex: 299, finalizedBlockId: members[0]?.transactionId, finalizedHeight: 1 }],
    };
    const responses: Record<string, object> = {
      "/blockchain/finality": {
        ...{ height: 3, finalizedHeight: 1 },
        currentGenerationPeriod: { start: 1, end: 1_000 },
        currentGenerators: members.map((member) => ({ ...member, conflictHeight: null })),
        nextGenerationPeriod: { start: 1_001, end: 2_000 },
        nextGenerators: members.map(({ address, transactionId }) => ({ address, transactionId })),
      },
      "/generators/at/2": members,
      "/blocks/at/2": { ...block, generator: members[1]?.address, finalizationVoting: voting },
    };
    for (const [path, json] of Object.entries(responses))
      await page.route(`${node.url}${path}`, (route) => route.fulfill({ json }));
    const rows = (title: string) => card(title).locator("ul.endorsers > li");
    const over = () => page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport);
      await open("/generators");
      await rows("Now").first().waitFor();
      expect([await rows("Now").count(), await rows("Next").count()]).toEqual([100, 100]);
      await card("Now").getByRole("button", { name: "More (200)" }).click();
      await polled(() => rows("Now").count()).toBe(200);
      expect(await rows("Next").count()).toBe(100);
      expect(await over()).toBe(0);
      await open("/block/2");
      const endorsers = rows("Endorsements of block 1");
      await endorsers.first().waitFor();
      expect(await endorsers.count()).toBe(100);
      await card("Endorsements of block 1").getByRole("button", { name: "More (30)" }).click();
      await polled(() => endorsers.count()).toBe(130);
      expect(await endorsers.last().textContent()).toContain("contradicts this chain");
      // 129 of 300 with nearly equal weights.
      expect(await page.locator(".two-thirds").textContent()).toMatch(/^43(\.0\d*)? ?%.*two thirds are needed/);
      expect(await over()).toBe(0);
    }
    await page.unrouteAll();
  });

  test("searches an account's data, and shows integers with every digit", async () => {
    await open(`/account/${chain.buyer}/data`);
    const keys = page.locator(".data-entries td.key");
    await polled(() => keys.count()).toBe(50);
    await page.getByLabel("Search in keys").fill("exact");
    await polled(() => keys.allTextContents()).toEqual(["exact"]);
    expect(await page.locator(".data-entries td.value").textContent()).toBe(exactInteger);
    // Special characters of expressions are literal unless expressions are enabled.
    await page.getByLabel("Search in keys").fill("entry_0.");
    await page.getByText("No key is like this.").waitFor();
    await page.getByLabel("regular expression").check();
    await polled(() => keys.count()).toBe(10);
  });

  test("shows a dApp's script and evaluates its functions and expressions without a key", async () => {
    await open(`/account/${chain.shop}/script`);
    await polled(() => page.locator(".callables b").allTextContents()).toEqual(["buy", "first", "again"]);
    await page.locator("pre.ride").waitFor();
    expect(await page.locator("pre.ride").textContent()).toContain("func buy (item,count) =");
    await page.getByLabel(/^item/).fill("a chair");
    await page.getByLabel(/^count/).fill("two");
    await page.getByRole("button", { name: "Add a payment" }).click();
    await page.getByLabel("Amount").fill("0.6");
    const form = card("Call it");
    await form.getByRole("button", { name: "Evaluate" }).click();
    await form.getByText("“two” is no whole number").waitFor();
    await page.getByLabel(/^count/).fill("3");
    await form.getByRole("button", { name: "Evaluate" }).click();
    await form.locator(".result").waitFor();
    expect(await form.locator(".result").textContent()).toMatch(/^Value for \d+ of complexity40000000$/);
    expect(await form.locator(".call-tree .call-text").allTextContents()).toEqual([
      'buy("a chair", 3)',
      'note(20000000, ["bought", "a chair"])',
      "pay(20000000, true)",
    ]);
    const expression = card("Ask it");
    await expression.getByRole("textbox").fill('this.getString("last")');
    await expression.getByRole("button", { name: "Evaluate" }).click();
    await polled(() => expression.locator(".result").textContent()).toContain('"a lamp"');
  });

  test("signs a call with a seed that is typed in, and keeps the seed nowhere", async () => {
    await open(`/account/${chain.vault}/script`);
    await page.getByRole("button", { name: "note(amount, words)" }).click();
    await page.getByLabel(/^amount/).fill("77");
    await page.getByLabel(/^words/).fill("signed\nhere");
    await page.getByText("Sign it and send it").click();
    await page.getByLabel("Seed").fill(chain.buyerSeed);
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
    await page.getByRole("button", { name: "Sign and send" }).click();
    await page.locator(".sent a").click();
    await polled(() => fact("Status").textContent()).toContain("Succeeded");
    expect(await fact("Call").textContent()).toBe('note(77, ["signed", "here"])');
    expect(await fact("Sender").textContent()).toContain(chain.buyer);
    expect(sent.filter((text) => text.includes(chain.buyerSeed))).toEqual([]);
    expect(
      await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])"),
    ).not.toContain(chain.buyerSeed);
  });

  test("finds heights, blocks, transactions, accounts, aliases and assets", async () => {
    const { id } = await getJson<{ id: string }>(`${node.url}/blocks/headers/at/2`);
    const paths = [
      ["2", "/block/2"],
      [id, `/block/${id}`],
      [chain.bought, `/transaction/${chain.bought}`],
      [chain.buyer, `/account/${chain.buyer}`],
      [chain.alias, `/account/${chain.buyer}`],
      [`alias:R:${chain.alias}`, `/account/${chain.buyer}`],
    ] as const;
    await open("");
    const isTyping = () => page.evaluate('document.activeElement?.tagName === "INPUT"');
    for (const [text, path] of paths) {
      // The page is rendered before it listens.
      while (!(await isTyping())) await page.keyboard.press("/");
      await page.keyboard.insertText(text);
      await page.keyboard.press("Enter");
      await page.waitForURL(`${node.url}/explorer${path}`);
      await page.locator("main h1").waitFor();
    }
    // An asset that a script issued has no transaction of the same id.
    const [receipt] = await getJson<{ assetId: string; name: string }[]>(
      `${node.url}/assets/nft/${chain.buyer}/limit/10`,
    ).then((list) => list.filter(({ name }) => name === "Receipt"));
    await open(`/search?for=${receipt?.assetId}`);
    await page.waitForURL(`${node.url}/explorer/asset/${receipt?.assetId}`);
    await open("/search?for=nobody-has-this");
    await page.getByText("Nothing on this chain goes by this name").waitFor();
    // The browser reports the node's 404 responses.
    expect(errors.length).toBeGreaterThan(0);
    errors.splice(0, errors.length, ...errors.filter((error) => !/status of 40[04]/.test(error)));
  });

  test("shows malicious texts as texts", async () => {
    const paths = [
      `/asset/${chain.gold}`,
      `/transaction/${chain.entries}`,
      `/transaction/${chain.funds}`,
      `/transaction/${chain.failed}`,
      `/account/${chain.buyer}/data`,
    ];
    for (const path of paths) {
      await open(path);
      await polled(() => page.locator("main").textContent(), path).toContain(hostileText);
      expect(await page.locator("main img, main script, main b b").count(), path).toBe(0);
      expect(await page.title()).not.toBe("harmed");
    }
    await open(`/asset/${chain.gold}`);
    await page.getByRole("heading", { name: "<b>Gold</b>" }).waitFor();
    expect(await fact("Quantity").textContent()).toBe("92,233,720,368.547758");
  });

  test("fits a phone and a desktop, without scrolling sideways", async () => {
    const paths = [
      "",
      "/blocks",
      "/block/1",
      "/generators",
      "/check",
      `/transaction/${chain.bought}`,
      `/transaction/${chain.traded}`,
    ];
    const parts = ["", "/assets", "/nfts", "/data", "/leases"].map((part) => `/account/${chain.buyer}${part}`);
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport);
      for (const path of [...paths, ...parts, `/account/${chain.shop}/script`, `/asset/${chain.gold}`]) {
        await open(path);
        await page.locator("main h1").waitFor();
        await polled(() => page.locator(".awaited").count(), path).toBe(0);
        const over = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
        expect(over, `${path} at ${viewport.width}`).toBe(0);
      }
    }
  });

  test("is dark or light like the system, until the user chooses", async () => {
    const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await page.emulateMedia({ colorScheme: "dark" });
    await open("");
    const dark = await ground();
    await page.emulateMedia({ colorScheme: "light" });
    const light = await ground();
    expect(dark).not.toBe(light);
    await page.getByRole("button", { name: /^Colours/ }).click();
    expect(await ground()).toBe(light);
    await page.getByRole("button", { name: /^Colours/ }).click();
    expect(await ground()).toBe(dark);
    await page.reload();
    await page.getByRole("heading", { name: "The chain now" }).waitFor();
    expect(await ground()).toBe(dark);
    await page.getByRole("button", { name: /^Colours/ }).click();
    expect(await ground()).toBe(light);
  });

  test("can be used with the keyboard alone", async () => {
    await open("/blocks");
    await page.locator("a.height").first().waitFor();
    await page.keyboard.press("Tab");
    const focused = () => page.evaluate("document.activeElement?.textContent ?? ''") as Promise<string>;
    // The heading has the focus after each step: the next stop follows it.
    expect(await focused()).toMatch(/^\d+$/);
    const height = await focused();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${node.url}/explorer/block/${height}`);
    await polled(focused).toBe(height);
  });

  test("loads only from this origin, and its bundle is small", async () => {
    const response = await fetch(`${node.url}/explorer/transaction/anything`);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Security-Policy")).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    const html = await response.text();
    expect(html).not.toMatch(/<script>|\s(?:style|on\w+)=/);
    const script = await (await fetch(`${node.url}/explorer/explorer.js`)).arrayBuffer();
    expect(script.byteLength).toBeLessThan(100_000);
    expect((await fetch(`${node.url}/explorer/`)).status).toBe(200);
  });
});

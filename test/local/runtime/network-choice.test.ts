import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { base58 } from "@scure/base";
import { afterAll, describe, expect, it } from "vitest";
import { UsageError } from "../../../local/cli/usage-error.ts";
import { chooseNetwork } from "../../../local/runtime/network-choice.ts";
import { addressOfPublicKey } from "../../../src/crypto/address.ts";
import { accountSeed, keyPairOfAccountSeed } from "../../../src/crypto/seed.ts";
import { functionalityDefaults } from "../../../src/network/defaults.ts";
import { findMissingPeers } from "../../../src/network/missing-peers.ts";

const projectRoot = path.resolve(import.meta.dirname, "../../..");
const networks = path.join(projectRoot, "test/fixtures/networks");
const folder = mkdtempSync(path.join(os.tmpdir(), "network-choice-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function refusal(nameOrFile: string): Promise<string> {
  try {
    await chooseNetwork(nameOrFile);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error(`${nameOrFile} was taken`);
}

describe("chooseNetwork", () => {
  it("knows the networks by name, each with a chain of its own", async () => {
    const networks = await Promise.all(["private", "mainnet", "testnet", "stagenet"].map(chooseNetwork));
    expect(networks.map((network) => network.settings.name)).toEqual(["private", "mainnet", "testnet", "stagenet"]);
    expect(new Set(networks.map((network) => network.chain)).size).toBe(4);
  });

  it("brings a wallet for the private network alone", async () => {
    expect((await chooseNetwork("private")).walletSeed).toBe(
      "TBXHUUcVx2n3Rgszpu5MCybRaR86JGmqCWp7XKh7czU57ox5dgjdX4K4",
    );
    expect((await chooseNetwork("mainnet")).walletSeed).toBeUndefined();
  });

  it("refuses a name that is neither a network nor a file, with the name that was meant", async () => {
    expect(await refusal("mainet")).toBe(
      "--network mainet: there is no network and no file of this name; did you mean mainnet?",
    );
    expect(await refusal("./nothing.json")).toContain("the names are mainnet, testnet, stagenet, private.");
  });

  it("refuses a file that is no settings file", async () => {
    const file = path.join(folder, "network.json");
    writeFileSync(file, "{");
    expect(await refusal(file)).toMatch(/expected JSON/);
    writeFileSync(file, "{}");
    expect(await refusal(file)).toMatch(/Setting .* expected/);
    expect(await refusal(folder)).toContain("this is not a file");
  });

  it("reads the reference's own form, HOCON, to the same chain", async () => {
    const json = await chooseNetwork(path.join(networks, "private.json"));
    const hocon = await chooseNetwork(path.join(networks, "private.conf"));
    expect(hocon.settings).toEqual(json.settings);
    expect(hocon.chain).toBe(json.chain);
    expect(hocon.walletSeed).toBe("TBXHUUcVx2n3Rgszpu5MCybRaR86JGmqCWp7XKh7czU57ox5dgjdX4K4");
  });

  it("reads the example of the documentation: a network whose wallet has the money and makes blocks alone", async () => {
    const { settings, walletSeed } = await chooseNetwork(path.join(projectRoot, "docs/examples/network.conf"));
    const seed = base58.decode(walletSeed ?? "");
    const { publicKey } = keyPairOfAccountSeed(accountSeed(seed, 0));
    const { blockchain, node } = settings;
    expect(blockchain.genesis.transactions).toEqual([
      { recipient: addressOfPublicKey(publicKey, blockchain.chainId), amount: 10_000_000_000_000_000n },
    ]);
    expect(findMissingPeers(settings, 0)).toBeUndefined();
    expect(node.minimumPeers).toBe(0);
    expect(blockchain.functionality.preActivatedFeatures.get(7)).toBe(-100);
  });

  it("reads the example of the image: the private network, except the features 21 and 23", async () => {
    const { settings, walletSeed } = await chooseNetwork(path.join(projectRoot, "docs/examples/image.conf"));
    const own = await chooseNetwork("private");
    const { blockchain, node } = own.settings;
    const { preActivatedFeatures } = blockchain.functionality;
    const functionality = {
      ...blockchain.functionality,
      preActivatedFeatures: new Map([...preActivatedFeatures].filter(([feature]) => feature !== 21 && feature !== 23)),
      lightNodeBlockFieldsAbsenceInterval: functionalityDefaults.lightNodeBlockFieldsAbsenceInterval,
    };
    expect(settings.blockchain).toEqual({ ...blockchain, functionality });
    // The runner chooses the P2P port of the private network.
    const { peers } = settings.node;
    expect(peers.port).toBe(6860);
    const compared = { ...settings.node, storeSnapshots: node.storeSnapshots, peers: { ...peers, port: undefined } };
    expect(compared).toEqual(node);
    expect(walletSeed).toBe(own.walletSeed);
  });

  it("says what is wrong with a HOCON file, and shows nothing of it", async () => {
    const file = path.join(folder, "network.conf");
    const missing = "$" + "{NO_SUCH_VARIABLE}";
    const reasonFor = async (text: string): Promise<string> => {
      writeFileSync(file, text);
      return (await refusal(file)).replace(`--network ${file}: `, "");
    };
    expect(await reasonFor('waves {\n  wallet.seed = "secret" {\n')).toBe(
      "this is not HOCON from line 2, column 26 on.",
    );
    expect(await reasonFor(`waves.directory = ${missing}`)).toBe(
      `${missing} is set neither in the file nor in the environment.`,
    );
    expect(await reasonFor("waves.blockchain.type = MOON")).toBe(
      'Setting waves.blockchain.type is "MOON", expected MAINNET, TESTNET, STAGENET or CUSTOM.',
    );
  });

  it("includes other files of settings", async () => {
    const [file, whole] = ["network.conf", "whole.conf"].map((name) => path.join(folder, name)) as [string, string];
    copyFileSync(path.join(networks, "private.conf"), whole);
    writeFileSync(path.join(folder, "more.json"), '{"waves":{"utx":{"max-size":7}}}');
    writeFileSync(file, 'include "whole.conf"\ninclude file("more.json")\ninclude "no-such.conf"\n');
    const { settings, chain } = await chooseNetwork(file);
    expect([chain, settings.node.utx.maxSize]).toEqual([(await chooseNetwork(whole)).chain, 7]);
  });

  it.each([
    ["a script", 'include "included.js"'],
    ["a script in a group", 'waves { include required("included.js") }'],
    ["a file as a script", 'include { url: "included.conf", builder: "script" }'],
    ["a script by another name", 'include "script(included.conf)"'],
    ["a script of another machine", 'include url("http://127.0.0.1:9/included.js")'],
    ["a module", 'include "modulepath:included.js"'],
    ["what is computed", `include "eval(included.conf)"`],
  ])("includes settings files, and not %s", async (_, text) => {
    const file = path.join(folder, "network.conf");
    const script = 'globalThis.hasRun = true; module.exports = { waves: { directory: "x" } };';
    for (const name of ["included.js", "included.conf"]) writeFileSync(path.join(folder, name), script);
    writeFileSync(file, text);
    expect(await refusal(file)).toMatch(/^--network .*: (it includes something that is no|this is not HOCON)/);
    expect("hasRun" in globalThis).toBe(false);
  });

  it.each([
    '"__proto__" { added = yes }',
    "constructor { prototype { added = yes } }",
    '"__proto__" { toString = yes }',
  ])("%s changes no object but the settings", async (text) => {
    const before = {}.toString;
    const file = path.join(folder, "network.conf");
    writeFileSync(file, `waves.directory = x\n${text}\n`);
    expect(await refusal(file)).toMatch(/it names something of the runtime's own|Setting .* expected/);
    expect(["added" in {}, {}.toString === before]).toEqual([false, true]);
  });
});

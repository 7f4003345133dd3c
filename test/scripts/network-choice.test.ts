import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { UsageError } from "../../scripts/cli/usage-error.ts";
import { chooseNetwork } from "../../scripts/runner/network-choice.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "network-choice-"));
afterAll(() => rmSync(folder, { recursive: true }));

function refusal(nameOrFile: string): string {
  try {
    chooseNetwork(nameOrFile);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error(`${nameOrFile} was taken`);
}

describe("chooseNetwork", () => {
  it("knows the networks by name, each with a chain of its own", () => {
    const networks = ["private", "mainnet", "testnet", "stagenet"].map(chooseNetwork);
    expect(networks.map((network) => network.settings.name)).toEqual(["private", "mainnet", "testnet", "stagenet"]);
    expect(new Set(networks.map((network) => network.chain)).size).toBe(4);
  });

  it("brings a wallet for the private network alone", () => {
    expect(chooseNetwork("private").walletSeed).toBe("TBXHUUcVx2n3Rgszpu5MCybRaR86JGmqCWp7XKh7czU57ox5dgjdX4K4");
    expect(chooseNetwork("mainnet").walletSeed).toBeUndefined();
  });

  it("refuses a name that is neither a network nor a file, with the name that was meant", () => {
    expect(refusal("mainet")).toBe(
      "--network mainet: there is no network and no file of this name; did you mean mainnet?",
    );
    expect(refusal("./nothing.json")).toContain("the names are mainnet, testnet, stagenet, private.");
  });

  it("refuses a file that is no settings file", () => {
    const file = path.join(folder, "network.json");
    writeFileSync(file, "{");
    expect(refusal(file)).toMatch(/expected JSON/);
    writeFileSync(file, "{}");
    expect(refusal(file)).toMatch(/Setting .* expected/);
    expect(refusal(folder)).toContain("this is not a file");
  });
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeSecrets } from "../../../local/cli/make-secrets.ts";
import { parseSecretFlags } from "../../../local/cli/secret-flags.ts";
import { readSecrets } from "../../../local/cli/secrets.ts";
import { UsageError } from "../../../local/cli/usage-error.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));

const known = {
  API_KEY_HASH: "BNejVjPAWUrXJTqNrTboGPENAJt9PXnmfdtBgMSgs1u3",
  WALLET_SEED: "TBXHUUcVx2n3Rgszpu5MCybRaR86JGmqCWp7XKh7czU57ox5dgjdX4K4",
};

function fileOf(text: string): string {
  const file = path.join(folder, "vars");
  writeFileSync(file, text);
  return file;
}

describe("makeSecrets", () => {
  const never = (): never => {
    throw new Error("nothing is left to chance");
  };

  it("makes both secrets of a key and a seed, as the private network has them", () => {
    const given = { key: "waves-private-node", seed: "waves private node seed with waves tokens", chainId: 0x52 };
    expect(makeSecrets(given, never)).toEqual({
      apiKey: "waves-private-node",
      address: "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF",
      lines: `API_KEY_HASH=${known.API_KEY_HASH}\nWALLET_SEED=${known.WALLET_SEED}\n`,
    });
  });

  it("draws what is not given, each on its own, and its lines are read again", () => {
    let drawn = 0;
    const made = makeSecrets({ chainId: 0x52 }, (size) => new Uint8Array(size).fill(++drawn));
    expect(drawn).toBe(2);
    const secrets = readSecrets({}, fileOf(made.lines));
    expect(Object.keys(secrets)).toEqual(["API_KEY_HASH", "WALLET_SEED"]);
    expect(made.lines).not.toContain(made.apiKey);
  });
});

describe("readSecrets", () => {
  it("takes the environment before the file, name by name", () => {
    const file = fileOf(`# both\nAPI_KEY_HASH=${known.API_KEY_HASH}\nWALLET_SEED="${known.WALLET_SEED}"\nOTHER=x\n`);
    expect(readSecrets({}, file)).toEqual(known);
    expect(readSecrets({ WALLET_SEED: "abc" }, file)).toEqual({ ...known, WALLET_SEED: "abc" });
    expect(readSecrets({ API_KEY_HASH: "" }, undefined)).toEqual({ API_KEY_HASH: "" });
    expect(readSecrets({}, undefined)).toEqual({});
  });

  it.each([
    [{ API_KEY_HASH: "abc" }, "API_KEY_HASH in the environment expects the base58 of the 32 bytes of a secure hash"],
    [{ WALLET_SEED: "my own seed" }, "WALLET_SEED in the environment expects a seed in base58"],
  ])("refuses %j in one sentence, without the value", (environment, message) => {
    const read = () => readSecrets(environment, undefined);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(message);
    for (const value of Object.values(environment)) expect(read).not.toThrow(value);
  });

  it("names the file that is not there, or holds something else", () => {
    expect(() => readSecrets({}, path.join(folder, "nothing"))).toThrow(/^--secrets .*nothing: ENOENT/);
    const file = fileOf("WALLET_SEED=0OIl\n");
    expect(() => readSecrets({}, file)).toThrow(`WALLET_SEED in ${file} expects`);
  });
});

describe("parseSecretFlags", () => {
  it("makes .dev.vars for the private chain when nothing is said", () => {
    expect(parseSecretFlags([])).toEqual({
      file: ".dev.vars",
      key: undefined,
      seed: undefined,
      chainId: 0x52,
      isHelp: false,
    });
  });

  it.each([
    [["--chain", "RR"], '--chain expects one character, got "RR".'],
    [["--key", ""], "--key expects a text that is not empty."],
    [["--sed", "x"], "Unknown option '--sed'"],
  ])("refuses %j", (args, message) => {
    expect(() => parseSecretFlags(args)).toThrow(message);
  });
});

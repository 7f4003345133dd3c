/** dApps that the sources run in: on a reference node, or fictitious. */

import type { CompiledScript, RideLang } from "@waves/ride-lang";
import { addressOfPublicKeyHash } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { firstDAppVersion } from "../../src/protocol/transactions/library-versions.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import { type FuzzCall, randomCall, writeDApp } from "./dapp-writer.ts";
import { checkedScript, compile, type HostDApp } from "./fuzz-cases.ts";
import { accountData, type FuzzAccount, type FuzzWorld } from "./fuzz-world.ts";
import type { ReferenceNode } from "./reference-world.ts";
import type { FuzzNames } from "./source-writer.ts";

export interface CallHost extends HostDApp {
  readonly source: string;
  readonly bounds: CompiledScript["callableComplexities"];
  readonly nextCalls: (random: SeededRandom, count: number) => readonly FuzzCall[];
}

export interface FuzzHosts {
  readonly world: FuzzWorld;
  /** dApps for expressions, by library version. */
  readonly expressions: ReadonlyMap<number, HostDApp>;
  readonly calls: readonly CallHost[];
}

export interface HostOptions {
  readonly compiler: RideLang;
  readonly random: SeededRandom;
  readonly seed: number;
  readonly versions: readonly number[];
}

const chainId = "R".charCodeAt(0);
const dAppsPerVersion = 4;
/** Accounts with data and without a script. */
const plainAccounts = 2;
const mostTries = 50;

/** Fictitious dApps, for runs without a reference. */
export function generateHosts({ compiler, random, versions }: HostOptions): FuzzHosts {
  const address = (): Uint8Array => addressOfPublicKeyHash(random.bytes(20), chainId);
  const plain = Array.from({ length: plainAccounts }, address);
  const names = namesOf(random, plain);
  const balance = { available: 7n, regular: 9n, generating: 3n, effective: 8n };
  const withData = (account: Uint8Array, script?: Uint8Array): [string, FuzzAccount] => [
    encodeBase58(account),
    { address: account, data: accountData, balance, script },
  ];
  const calls = dAppVersions(versions).flatMap((version) =>
    Array.from({ length: dAppsPerVersion }, () => ({
      ...makeDApp(compiler, random, version, names),
      address: address(),
    })),
  );
  const accounts = [
    ...plain.map((account) => withData(account)),
    ...calls.map((host) => withData(host.address, host.script)),
  ];
  return { world: { chainId, names, accounts: new Map(accounts), heights: new Map() }, expressions: new Map(), calls };
}

export async function referenceHosts(options: HostOptions, reference: ReferenceNode): Promise<FuzzHosts> {
  const { compiler, random, versions, seed } = options;
  const withDApps = dAppVersions(versions);
  const accounts = reference.accounts(`fuzz ${seed}`, plainAccounts + withDApps.length * (1 + dAppsPerVersion));
  await reference.equip(accounts);
  const names = namesOf(
    random,
    accounts.slice(0, plainAccounts).map(({ address }) => address),
  );
  let nextAccount = plainAccounts;
  const expressions = new Map<number, HostDApp>();
  const calls: CallHost[] = [];
  const scripts: Parameters<ReferenceNode["setScripts"]>[0][number][] = [];
  const settle = <Made extends { readonly script: Uint8Array }>(made: Made) => {
    const account = accounts[nextAccount++] as (typeof accounts)[number];
    scripts.push({ account, script: made.script });
    return { ...made, address: account.address };
  };
  for (const version of withDApps) {
    expressions.set(version, settle({ script: emptyDApp(compiler, version) }));
    for (let index = 0; index < dAppsPerVersion; index++)
      calls.push(settle(makeDApp(compiler, random, version, names)));
  }
  const refused = new Set<Uint8Array>(Array.from(await reference.setScripts(scripts), ({ address }) => address));
  const known = new Map<string, FuzzAccount>();
  for (const { address } of accounts) {
    const script = refused.has(address)
      ? undefined
      : scripts.find(({ account }) => account.address === address)?.script;
    const contents = { data: await reference.data(address), balance: await reference.balance(address) };
    known.set(encodeBase58(address), { address, script, ...contents });
  }
  return {
    world: { chainId, names, accounts: known, heights: new Map() },
    expressions: new Map([...expressions].filter(([, { address }]) => !refused.has(address))),
    calls: calls.filter(({ address }) => !refused.has(address)),
  };
}

function dAppVersions(versions: readonly number[]): readonly number[] {
  return versions.filter((version) => version >= firstDAppVersion);
}

function namesOf(random: SeededRandom, accounts: readonly Uint8Array[]): FuzzNames {
  return {
    accounts,
    dataKeys: [...accountData.keys(), "none"],
    assets: [random.bytes(32)],
    transactions: [random.bytes(32)],
  };
}

function emptyDApp(compiler: RideLang, version: number): Uint8Array {
  const outcome = compile(
    compiler,
    `{-# STDLIB_VERSION ${version} #-}\n{-# CONTENT_TYPE DAPP #-}\n{-# SCRIPT_TYPE ACCOUNT #-}\n`,
  );
  if (outcome === undefined) throw new Error("the compiler does not take an empty dApp");
  return new Uint8Array(outcome.result);
}

function makeDApp(compiler: RideLang, random: SeededRandom, version: number, names: FuzzNames) {
  for (let tries = 0; tries < mostTries; tries++) {
    const { source, signatures } = writeDApp(random, version, names);
    const compiled = compile(compiler, source);
    if (compiled === undefined) continue;
    checkedScript(compiler, compiled);
    return {
      script: new Uint8Array(compiled.result),
      source,
      bounds: compiled.callableComplexities,
      nextCalls: (next: SeededRandom, count: number) =>
        Array.from({ length: count }, () => randomCall(next, next.pick(signatures))),
    };
  }
  throw new Error(`the compiler takes none of ${mostTries} dApps of version ${version}`);
}

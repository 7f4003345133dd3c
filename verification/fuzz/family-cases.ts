/** Cases of a family, at accounts of the reference or at fictitious ones. */
import { addressOfPublicKeyHash } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import { jsonText } from "../../src/protocol/json.ts";
import type { SeededRandom } from "../chain-generator/seeded-random.ts";
import type { FamilyCall, FamilyDApp, FuzzFamily } from "./families/family.ts";
import { callCase, type FuzzCase } from "./fuzz-cases.ts";
import type { FuzzWorld } from "./fuzz-world.ts";
import type { ReferenceNode } from "./reference-world.ts";

export interface FamilyRun {
  readonly family: FuzzFamily;
  readonly random: SeededRandom;
  readonly count: number;
  /** Undefined: no reference. */
  readonly reference: ReferenceNode | undefined;
}

const chainId = "R".charCodeAt(0);
const maxShownArguments = 400;

/** The cases; each is evaluated when it is taken. */
export async function familyCases({ family, random, count, reference }: FamilyRun): Promise<Iterable<FuzzCase>> {
  const dApps = await family.dApps(random, count);
  const settled = reference && (await settle(family, random, dApps, reference));
  const addresses = dApps.map((_, index) => settled?.[index] ?? addressOfPublicKeyHash(random.bytes(20), chainId));
  const isOnReference = (index: number): boolean => settled?.[index] !== undefined;
  const accounts = new Map(
    dApps.map(({ script }, index) => {
      const address = addresses[index] as Uint8Array;
      return [encodeBase58(address), { address, data: new Map(), balance: noBalance, script }] as const;
    }),
  );
  const names = { accounts: addresses, dataKeys: [], assets: [], transactions: [] };
  const world: FuzzWorld = { chainId, names, accounts, heights: new Map() };
  return evaluatedCases(dApps, addresses, world, isOnReference, family);
}

const noBalance = { available: 0n, regular: 0n, generating: 0n, effective: 0n };

/** Addresses of the dApps; undefined for those whose version the reference's chain refuses. */
async function settle(
  family: FuzzFamily,
  random: SeededRandom,
  dApps: readonly FamilyDApp[],
  reference: ReferenceNode,
): Promise<readonly (Uint8Array | undefined)[]> {
  const accounts = reference.accounts(`family ${family.name} ${random.text(16)}`, dApps.length);
  await reference.equip(accounts, new Map());
  const settings = accounts.map((account, index) => ({ account, dApp: dApps[index] as FamilyDApp }));
  const refused = await reference.setScripts(settings.map(({ account, dApp: { script } }) => ({ account, script })));
  for (const { account, dApp } of settings) {
    for (const call of dApp.before ?? []) await reference.evaluate(account.address, jsonText({ call: { ...call } }));
  }
  return accounts.map((account) => (refused.has(account) ? undefined : account.address));
}

function* evaluatedCases(
  dApps: readonly FamilyDApp[],
  addresses: readonly Uint8Array[],
  world: FuzzWorld,
  isOnReference: (index: number) => boolean,
  { messages }: FuzzFamily,
): Iterable<FuzzCase> {
  for (const [index, { script, calls }] of dApps.entries()) {
    const host = { address: addresses[index] as Uint8Array, script };
    for (const call of calls) {
      const made = callCase(host, call, describeCall(call), world, undefined);
      const fuzzCase = isOnReference(index) ? made : { ...made, question: undefined };
      yield { ...fuzzCase, comparesMessages: messages !== "any" };
    }
  }
}

function describeCall({ function: name, args, note }: FamilyCall): string {
  const values = args.map(({ value }) => String(value)).join(", ");
  return `${note}\n${name}(${values.length > maxShownArguments ? `${values.slice(0, maxShownArguments)}…` : values})`;
}

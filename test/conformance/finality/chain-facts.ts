/** State of our chain at its tip, in the form of the recordings. */
import type { Chain } from "../../../durable/chain/open-chain.ts";
import { addressText, parseAddress } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { stateHashJson } from "../../../src/protocol/snapshots/state-hash-json.ts";
import { generatingBalanceAt, headerAt } from "../../../src/rules/consensus/next-block.ts";
import { depositOf } from "../../../src/rules/finality/deposit.ts";
import { weightsWithout } from "../../../src/rules/finality/finalization.ts";
import { generationPeriodAt, nextGenerationPeriod } from "../../../src/rules/finality/generation-period.ts";
import { generatorsAfter } from "../../../src/rules/finality/generator-set.ts";
import type { StateView } from "../../../src/rules/state/state-view.ts";
import { stateHashTable } from "../../../src/tables/state-hashes.ts";
import type {
  OpenedChain,
  RecordedAccount,
  RecordedBalances,
  RecordedGenerator,
  RecordedState,
} from "./recorded-chain.ts";

/**
 * Recorded part of the tip's state: balances of the same accounts, and the same members of the older state hash, which
 * the Go node prints in two forms.
 */
export function stateOf(
  { chain, store }: Pick<OpenedChain, "chain" | "store">,
  recorded: Pick<RecordedState, "stateHash"> & { readonly balances?: RecordedState["balances"] },
  accounts: readonly RecordedAccount[] = [],
): RecordedState {
  const { view } = chain;
  const { height } = view;
  const { balances = {} } = recorded;
  const shown = accounts.filter(({ name }) => name in balances);
  return {
    height,
    blockId: encodeBase58(chain.stored.tip().id),
    finalizedHeight: chain.stored.finalizedHeight(),
    generators: generatorsOf(chain),
    stateHash: onlyMembersOf(recorded.stateHash, stateHashOf({ chain, store })),
    balances: Object.fromEntries(shown.map((account) => [account.name, balancesOf(addressOf(account, view), view)])),
  };
}

/** Same as `/debug/stateHash` without the version. */
export function stateHashOf({ chain, store }: Pick<OpenedChain, "chain" | "store">): RecordedState["stateHash"] {
  const { height } = chain.view;
  const row = store.find(stateHashTable, { height });
  if (row === undefined) throw new Error(`no state hash is kept at height ${height}`);
  const { baseTarget } = headerAt(chain.view, height).header;
  return printed(stateHashJson({ ...row, blockId: chain.stored.tip().id, baseTarget }));
}

function onlyMembersOf<T extends object>(names: object, members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([name]) => name in names)) as T;
}

/** Generator set of the tip, without the members that the tip itself bans. */
export function generatorsOf({ view }: Pick<Chain, "view">): readonly RecordedGenerator[] {
  const { height } = view;
  const period = generationPeriodAt(height, view);
  if (period === undefined) return [];
  const set = generatorsAfter(height - 1, view);
  const weights = weightsWithout(set, headerAt(view, height).header.finalizationVoting);
  const conflicts = view.conflicts(period.start);
  return set.committed.map(({ index, address, publicKey, endorserPublicKey, transactionId }) => {
    const conflictHeight = conflicts.get(index);
    return {
      index,
      address: addressText(address),
      publicKey: encodeBase58(publicKey),
      blsPublicKey: encodeBase58(endorserPublicKey),
      balance: String(weights[index]),
      banned: conflictHeight !== undefined,
      ...(conflictHeight !== undefined && { conflictHeight }),
      transactionId: encodeBase58(transactionId),
    };
  });
}

/** Starts of periods as in the recordings: absent before feature 25. */
export function periodStartsOf({ view }: Pick<Chain, "view">): { periodStart?: number; nextPeriodStart?: number } {
  const current = generationPeriodAt(view.height, view);
  const next = nextGenerationPeriod(view.height, view);
  return {
    ...(current && { periodStart: current.start }),
    ...(next && { nextPeriodStart: next.start }),
  };
}

export function balancesOf(address: Address, view: StateView): RecordedBalances {
  const regular = view.balance(address, null);
  const lease = view.leaseBalance(address);
  const available = regular - lease.out - depositOf(address, view);
  return {
    regular: String(regular),
    generating: String(generatingBalanceAt(view, address)),
    available: String(available),
    effective: String(available + lease.in),
    leaseIn: String(lease.in),
    leaseOut: String(lease.out),
  };
}

export function addressOf({ address }: Pick<RecordedAccount, "address">, view: StateView): Address {
  const parsed = parseAddress(address, view.settings.chainId);
  if (!(parsed instanceof Uint8Array)) throw new Error(`${address} is no address of the network`);
  return parsed;
}

/** JSON as in the recordings: integers that fit are numbers. */
function printed(json: ReturnType<typeof stateHashJson>): RecordedState["stateHash"] {
  const entries = Object.entries(json).map(([name, value]) => [
    name,
    typeof value === "bigint" ? Number(value) : value,
  ]);
  return Object.fromEntries(entries) as RecordedState["stateHash"];
}

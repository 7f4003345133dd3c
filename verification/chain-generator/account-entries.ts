/** Transactions about the sender's own account: leases, aliases, data. */

import { addressOfPublicKey } from "../../src/crypto/address.ts";
import { Feature } from "../../src/network/features.ts";
import { feeUnitWavelets } from "../../src/protocol/transactions/fee-units.ts";
import { limits } from "../../src/protocol/transactions/limits.ts";
import type { DataEntry, DataValue } from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import type { ChainWorld } from "./chain-world.ts";
import type { TransactionGenerator } from "./transaction-generator.ts";

const aliasLetters = "-.0123456789@_abcdefghijklmnopqrstuvwxyz";
const keyLetters = "abcdefghijklmnopqrstuvwxyz_ABCDE漢é";
/** Keys that many transactions write, so that values are replaced and deleted. */
const commonKeys = ["price", "owner", "state", "k", "ключ"] as const;
const bigValues = 4;
/** Most bytes that an entry adds to its key and value. */
const entryOverheadBytes = 8;
const kibibyte = 1024;

const lease: TransactionGenerator = {
  weight: 7,
  make: (world) => {
    const holding = world.findHolder(null);
    if (holding === undefined) return undefined;
    const { random, accounts } = world;
    const generator = random.pick(accounts.generators).address;
    return world.signed(holding.holder, {
      type: TransactionType.Lease,
      version: world.version(TransactionType.Lease),
      recipient: random.boolean(0.5) ? { kind: "address", address: generator } : world.recipient(),
      amount: random.amount(1n, holding.balance / 5n + 1n),
      fee: world.fee(feeUnitWavelets),
    });
  },
};

const leaseCancel: TransactionGenerator = {
  weight: 4,
  make: (world) => {
    const leaseId = world.activeLease();
    const details = leaseId && world.view.findLease(leaseId);
    if (leaseId === undefined || details === undefined) return undefined;
    const sender = world.accountOf(addressOfPublicKey(details.sender, world.chainId));
    return world.signed(sender, {
      type: TransactionType.LeaseCancel,
      version: world.version(TransactionType.LeaseCancel),
      leaseId,
      fee: world.fee(feeUnitWavelets),
    });
  },
};

const createAlias: TransactionGenerator = {
  weight: 3,
  make: (world) => {
    const { random, chainId } = world;
    const alias = { chainId, name: random.text(random.between(4, 30), aliasLetters) };
    return world.signed(world.anybody(), {
      type: TransactionType.CreateAlias,
      version: world.version(TransactionType.CreateAlias),
      alias,
      fee: world.fee(feeUnitWavelets),
    });
  },
};

const data: TransactionGenerator = {
  weight: 8,
  make: (world) => {
    if (!world.isActive(Feature.DataTransaction)) return undefined;
    const version = world.version(TransactionType.Data);
    const keys = new Set<string>();
    const count = world.random.boolean(0.1) ? 100 : world.random.below(8);
    while (keys.size < count) keys.add(key(world));
    return withData(
      world,
      version,
      [...keys].map((name) => ({ key: name, value: value(world, version) })),
    );
  },
};

const bigData: TransactionGenerator = {
  weight: 0.4,
  make: (world) => {
    if (!world.isActive(Feature.DataTransaction)) return undefined;
    const entries = Array.from({ length: bigValues }, (_, index): DataEntry => {
      const bytes = world.random.bytes(limits.dataValueBytes);
      return { key: `big${index}`, value: { type: "binary", value: bytes } };
    });
    return withData(world, world.version(TransactionType.Data), entries);
  },
};

export const accountEntryGenerators: readonly TransactionGenerator[] = [lease, leaseCancel, createAlias, data, bigData];

function withData(world: ChainWorld, version: number, entries: readonly DataEntry[]) {
  const size = entries.reduce((sum, entry) => sum + entryBytes(entry), 200);
  const fee = world.fee(feeUnitWavelets * BigInt(1 + Math.floor(size / kibibyte)));
  return world.signed(world.anybody(), { type: TransactionType.Data, version, data: entries, fee });
}

function entryBytes({ key: name, value: content }: DataEntry): number {
  const valueBytes =
    content === null || typeof content.value === "boolean"
      ? 1
      : typeof content.value === "bigint"
        ? 10
        : Buffer.from(content.value).length;
  return Buffer.from(name).length + valueBytes + entryOverheadBytes;
}

function key({ random }: ChainWorld): string {
  if (random.boolean(0.4)) return random.pick(commonKeys);
  return random.text(random.boolean(0.05) ? 100 : random.between(1, 12), keyLetters);
}

/** Random value; from version 2 on also a deletion. */
function value({ random }: ChainWorld, version: number): DataValue {
  switch (random.below(version === 1 ? 4 : 5)) {
    case 0: {
      const sign = random.boolean(0.5) ? 1n : -1n;
      return { type: "integer", value: sign * random.amount(0n, 9_223_372_036_854_775_807n) };
    }
    case 1:
      return { type: "boolean", value: random.boolean(0.5) };
    case 2:
      return { type: "binary", value: random.bytes(random.below(50)) };
    case 3:
      return { type: "string", value: random.text(random.below(40), `${keyLetters} \n"\\`) };
    default:
      return null;
  }
}

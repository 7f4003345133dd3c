/** Calls of dApps by accounts and by Ethereum wallets: mostly with valid arguments. */

import type { Address } from "../../src/crypto/identities.ts";
import { Feature } from "../../src/network/features.ts";
import type { AssetId } from "../../src/protocol/transactions/asset.ts";
import { baseFeeWavelets, feeUnitWavelets } from "../../src/protocol/transactions/fee-units.ts";
import type {
  CallArgument,
  FunctionCall,
  LeaseId,
  Payment,
  Recipient,
} from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { callableAbis } from "../../src/ride/abi/callable-abi.ts";
import { parseScript } from "../../src/ride/script/script-bytes.ts";
import type { ChainWorld } from "./chain-world.ts";
import { encodeCallData } from "./ethereum-call-data.ts";
import type { GeneratedAccount } from "./generated-accounts.ts";
import { binary, type Callable, type CallContext, createdAssetKey, createdLeaseKey, integer } from "./ride/callable.ts";
import type { GeneratedDApp } from "./ride/dapp-sources.ts";
import type { TransactionGenerator } from "./transaction-generator.ts";

const invokeFee = baseFeeWavelets(TransactionType.InvokeScript);
const issueFee = baseFeeWavelets(TransactionType.Issue);
/** Expensive calls cost several times the fee. */
const feeSteps = [1n, 1n, 1n, 2n, 4n, 13n] as const;

interface ChosenCall {
  readonly dApp: GeneratedAccount;
  readonly contract: GeneratedDApp;
  readonly callable: Callable;
  readonly args: readonly CallArgument[];
  readonly payments: readonly Payment[];
  readonly fee: bigint;
}

const invoke: TransactionGenerator = {
  weight: 45,
  make: (world) => {
    const chosen = chooseCall(world);
    if (chosen === undefined) return undefined;
    const { dApp, callable, args, payments, fee } = chosen;
    const { random } = world;
    const caller = random.boolean(0.1) ? random.pick(world.accounts.dApps) : world.anybody();
    return world.signed(caller, {
      type: TransactionType.InvokeScript,
      version: world.version(TransactionType.InvokeScript),
      dApp: recipientOf(world, dApp.address),
      call: callOf(world, callable, args),
      payments: payments.filter(
        ({ asset, amount }) => random.boolean(0.05) || world.spendable(caller.address, asset) >= amount,
      ),
      ...paidBy(world, caller, fee),
    });
  },
};

export const ethereumInvoke: TransactionGenerator = {
  weight: 9,
  make: (world) => {
    if (!world.isActive(Feature.RideV6)) return undefined;
    const chosen = chooseCall(world);
    if (chosen === undefined) return undefined;
    const { dApp, contract, callable, args, payments, fee } = chosen;
    const abi = callableAbis(parseScript(contract.script)).find(({ name }) => name === callable.name);
    if (abi === undefined) return undefined;
    const wallet = world.wallet();
    const transaction = wallet.call({
      dApp: dApp.address,
      data: encodeCallData(abi, {
        args: args.slice(0, abi.args.length),
        payments: payments.filter(({ asset, amount }) => world.spendable(wallet.address, asset) >= amount),
      }),
      fee,
      timestamp: world.timestamp(),
    });
    world.remember(transaction);
    return transaction;
  },
};

export const invocationGenerators: readonly TransactionGenerator[] = [invoke, ethereumInvoke];

/** A function of a dApp, with arguments. */
export function chooseCall(world: ChainWorld): ChosenCall | undefined {
  const { random, accounts } = world;
  const dApps = accounts.dApps.filter(({ address }) => world.findDApp(address) !== undefined);
  if (dApps.length === 0) return undefined;
  const dApp = random.pick(dApps);
  const made = world.findDApp(dApp.address);
  if (made === undefined || made.callables.length === 0) return undefined;
  rememberCreated(world, dApp.address);
  const callable = random.pickByWeight(made.callables.map((each) => ({ ...each, weight: each.weight ?? 1 })));
  const context: CallContext = { world, dApp, dApps };
  const issues = world.random.boolean(0.85) ? BigInt(callable.issues ?? 0) : 0n;
  return {
    dApp,
    contract: made,
    callable,
    args: callable.args(context),
    payments: choosePayments(world, made.version),
    fee: world.fee(invokeFee * random.pick(feeSteps) + issues * issueFee),
  };
}

/** Records the ids that the dApp's functions have written to its data. */
function rememberCreated(world: ChainWorld, address: Address): void {
  const storedId = (key: string): Uint8Array | undefined => {
    const entry = world.view.findData(address, key);
    return entry?.type === "binary" ? entry.value : undefined;
  };
  const asset = storedId(createdAssetKey) as AssetId | undefined;
  const lease = storedId(createdLeaseKey) as LeaseId | undefined;
  world.rememberCreated(
    asset !== undefined && world.view.findAsset(asset) !== undefined ? asset : undefined,
    lease !== undefined && world.view.findLease(lease) !== undefined ? lease : undefined,
  );
}

/** Payments: none, one, or the version's maximum; occasionally one too many. */
function choosePayments(world: ChainWorld, version: number): readonly Payment[] {
  const { random } = world;
  const most = version >= 5 ? 10 : version === 4 ? 2 : 1;
  const count = random.boolean(0.4) ? 0 : random.pick([1, 1, 1, 2, most, random.boolean(0.1) ? most + 1 : most]);
  return Array.from({ length: count }, () => {
    const asset = count > 2 && random.boolean(0.7) ? null : world.anyAsset();
    return { asset, amount: random.amount(1n, random.boolean(0.8) ? 1_000n : 10_000_000n) };
  });
}

function recipientOf(world: ChainWorld, address: Address): Recipient {
  const aliases = world.random.boolean(0.3) ? world.aliasesOf(address) : [];
  return aliases.length === 0 ? { kind: "address", address } : { kind: "alias", alias: world.random.pick(aliases) };
}

/** The call. The default function has a short form; occasionally an argument is extra, missing, or wrong. */
function callOf({ random }: ChainWorld, { name }: Callable, args: readonly CallArgument[]): FunctionCall | null {
  if (name === "default" && random.boolean(0.7)) return null;
  if (random.boolean(0.96)) return { function: name, args };
  const distorted = [
    { function: `${name}s`, args },
    { function: name, args: args.slice(1) },
    { function: name, args: [...args, integer(1)] },
    { function: name, args: args.map(() => binary(new Uint8Array(3))) },
  ];
  return random.pick(distorted);
}

function paidBy(world: ChainWorld, caller: GeneratedAccount, fee: bigint) {
  const sponsored = world.random.boolean(0.15) ? world.sponsoredFee(caller.address) : undefined;
  // Units of fee in WAVES, each worth its amount of the asset.
  return sponsored === undefined
    ? { fee }
    : { feeAsset: sponsored.feeAsset, fee: (fee / feeUnitWavelets) * sponsored.fee };
}

/** Reads of the rules and the REST interface on a chain, as text: equal texts are equal results. */
import type { Chain } from "../../durable/chain-state/chain/open-chain.ts";
import type { Address } from "../../src/crypto/identities.ts";
import type { SignedHeader } from "../../src/protocol/blocks/block.ts";
import { BlockVersion } from "../../src/protocol/blocks/block-version.ts";
import type { AssetId } from "../../src/protocol/transactions/asset.ts";
import type { LeaseId, Transaction } from "../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { confirmationWindow } from "../../src/rules/consensus/generating-balance.ts";
import { depositOf } from "../../src/rules/finality/deposit.ts";
import { generationPeriodAt, nextGenerationPeriod } from "../../src/rules/finality/generation-period.ts";

/** Items to read; they need not be on the chain. */
export interface Subjects {
  readonly addresses: readonly Address[];
  readonly transactions: readonly Transaction[];
}

export function chainQueryResults(chain: Chain, { addresses, transactions }: Subjects): string {
  const { view } = chain;
  const { height } = view;
  const heights = Array.from({ length: height + 1 }, (_, index) => index + 1);
  const assets = transactions.flatMap(({ type, id }) =>
    type === TransactionType.Issue ? [id as Uint8Array as AssetId] : [],
  );
  const ofAccounts = addresses.map((address) => ({
    address,
    balances: [null, ...assets].map((asset) => view.balance(address, asset)),
    lease: view.leaseBalance(address),
    history: view.balanceHistory(address, 1, height),
    effective: [1, 3, height].map((depth) => {
      const { from, to } = confirmationWindow(height, depth);
      return view.minimumEffectiveBalance(address, from, to);
    }),
    deposit: depositOf(address, view),
    script: view.findAccountScript(address),
  }));
  const ofTransactions = transactions.map((transaction) => {
    const { id, type } = transaction;
    const location = view.findTransaction(id);
    if (type === TransactionType.Issue) return [location, view.findAsset(id as Uint8Array as AssetId)];
    if (type === TransactionType.Exchange)
      return [location, view.orderFill(transaction.order1.id), view.orderFill(transaction.order2.id)];
    if (type === TransactionType.Lease) return [location, view.findLease(id as Uint8Array as LeaseId)];
    if (type === TransactionType.CreateAlias) return [location, view.findAliasOwner(transaction.alias)];
    if (type === TransactionType.Data)
      return [location, addresses.map((address) => transaction.data.map(({ key }) => view.findData(address, key)))];
    return [location];
  });
  const ofHeights = heights.map((at) => ({
    header: storedHeader(view.findHeader(at)),
    hitSource: view.findHitSource(at),
    reward: view.blockReward(at),
    vote: view.rewardVote(at),
    stateHash: view.findStateHash(at),
    finalizedHeight: view.storedFinalizedHeight(at),
    transactions: [...view.transactionsAt(at)],
  }));
  const periods = [generationPeriodAt(height, view), nextGenerationPeriod(height, view)];
  const ofPeriods = periods.map(
    (period) => period && { commitments: view.commitments(period.start), conflicts: [...view.conflicts(period.start)] },
  );
  const { block, transactionsTree } = chain.liquid.block();
  return textOf({
    height,
    tip: chain.stored.tip(),
    liquid: [block.id, block.transactions.map(({ id }) => id), transactionsTree.root()],
    liquidIds: chain.stored.liquidForms(),
    activations: [...view.activations()],
    assetsIssued: view.assetsIssuedInBlock(),
    activeLeases: [...view.activeLeases()],
    leaseBalances: [...view.leaseBalances()],
    ofAccounts,
    ofTransactions,
    ofHeights,
    ofPeriods,
  });
}

/** The genesis block has its state hash only in memory: its encoding has no field for it. */
function storedHeader(signed: SignedHeader | undefined): SignedHeader | undefined {
  if (signed === undefined || signed.header.version > BlockVersion.Genesis) return signed;
  return { ...signed, header: { ...signed.header, stateHash: undefined } };
}

function textOf(value: unknown): string {
  return JSON.stringify(
    value,
    (_, item: unknown) => {
      if (typeof item === "bigint") return `${item}n`;
      if (item instanceof Uint8Array) return Buffer.from(item).toString("hex");
      if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
      return Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)));
    },
    1,
  );
}

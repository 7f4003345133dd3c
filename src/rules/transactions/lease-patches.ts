/**
 * Clean-ups of leases that mainnet and testnet went through. Early nodes let leases pass what an account owned, let
 * others cancel them and lost track of sums; blocks at fixed heights set this right.
 *
 * The reference ships the outcome as lists, which say nothing of the accounts of any other chain; here it follows from the state, by
 * the rules of the Go node.
 * @source Waves: state/patch/*; gowaves: pkg/state/{state,leases,balances}.go
 */

import { addressOfPublicKey } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import { type BytesKey, bytesKey } from "../../crypto/bytes.ts";
import type { Address } from "../../crypto/identities.ts";
import { findChainWithHistory } from "../../network/chain-with-history.ts";
import { Feature } from "../../network/features.ts";
import type { LeaseBalanceChange, Snapshot } from "../../protocol/snapshots/snapshot.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { expectHistory } from "../state/history-missing.ts";
import type { LeaseDetails, StateView } from "../state/state-view.ts";
import { aliasesUniqueFrom } from "./checks/duplicates.ts";
import { isAliasDisabled } from "./checks/recipients.ts";

/**
 * What the clean-up at the height of the view changes, before rewards and fees of the block: nothing, but at a few
 * heights.
 * @param view at the height of the new block. Cost: all leases of the chain, where there is a clean-up
 */
export function leasePatches(view: StateView): Snapshot {
  const { height, settings } = view;
  const { resetEffectiveBalancesAtHeight, blockVersion3AfterHeight } = settings.functionality;
  const network = findChainWithHistory(settings);
  if (network === undefined) return {};
  if (height === resetEffectiveBalancesAtHeight) return cancelAllLeases(view);
  if (network !== "mainnet") return {};
  if (height === blockVersion3AfterHeight) return cancelOverflowingLeases(view);
  if (height === aliasesUniqueFrom(settings.schemeCharacter)) return correctLeaseIns(view);
  if (height === view.activationHeight(Feature.SynchronousCalls)) return cancelLeasesToDisabledAliases(view);
  return {};
}

/** Whether what accounts count of leases has to be what active leases have: on the networks with a history, behind the last repair. */
export function areLeasesRepaired({ height, settings }: Pick<StateView, "height" | "settings">): boolean {
  const { schemeCharacter, functionality } = settings;
  if (findChainWithHistory(settings) === undefined) return true;
  return height >= Math.max(functionality.resetEffectiveBalancesAtHeight, aliasesUniqueFrom(schemeCharacter));
}

/** Every lease ends, every lease balance becomes zero. */
function cancelAllLeases(view: StateView): Snapshot {
  return {
    leaseBalances: Array.from(view.leaseBalances(), ({ address }) => ({ address, in: 0n, out: 0n })),
    cancelledLeases: Array.from(view.activeLeases(), cancelled),
  };
}

/** Accounts that leased more than they own lose all their leases; what their recipients count stays wrong for now. */
function cancelOverflowingLeases(view: StateView): Snapshot {
  const overflowing = Array.from(view.leaseBalances()).filter(({ address, out }) => view.balance(address, null) < out);
  const senders = new Set(overflowing.map(({ address }) => bytesKey(address)));
  const leases = Array.from(view.activeLeases()).filter(({ sender }) =>
    senders.has(bytesKey(addressOfPublicKey(sender, view.settings.chainId))),
  );
  return {
    leaseBalances: overflowing.map((balance) => ({ ...balance, out: 0n })),
    cancelledLeases: leases.map(cancelled),
  };
}

/** What is leased to an account becomes the sum of its active leases. */
function correctLeaseIns(view: StateView): Snapshot {
  const sums = new Map<BytesKey, LeaseBalanceChange>();
  for (const { recipient, amount } of view.activeLeases()) {
    const key = bytesKey(recipient);
    const { out } = view.leaseBalance(recipient);
    sums.set(key, { address: recipient, in: (sums.get(key)?.in ?? 0n) + amount, out });
  }
  for (const balance of view.leaseBalances()) {
    const key = bytesKey(balance.address);
    if (!sums.has(key)) sums.set(key, { ...balance, in: 0n });
  }
  const wrong = [...sums.values()].filter((correct) => view.leaseBalance(correct.address).in !== correct.in);
  return { leaseBalances: wrong };
}

/** @source Waves: state/patch/CancelLeasesToDisabledAliases.scala */
function cancelLeasesToDisabledAliases(view: StateView): Snapshot {
  const leases = Array.from(view.activeLeases()).filter(({ originTransactionId }) => {
    const origin = view.findTransactionBody(originTransactionId);
    if (origin === undefined) expectHistory(view, `transaction ${encodeBase58(originTransactionId)}`);
    return (
      origin?.type === TransactionType.Lease &&
      origin.recipient.kind === "alias" &&
      isAliasDisabled(origin.recipient.alias, view)
    );
  });
  const balances = new Map<BytesKey, LeaseBalanceChange>();
  const change = (address: Address, ends: { readonly in: bigint; readonly out: bigint }): void => {
    const before = balances.get(bytesKey(address)) ?? view.leaseBalance(address);
    balances.set(bytesKey(address), { address, in: before.in - ends.in, out: before.out - ends.out });
  };
  for (const { sender, recipient, amount } of leases) {
    change(addressOfPublicKey(sender, view.settings.chainId), { in: 0n, out: amount });
    change(recipient, { in: amount, out: 0n });
  }
  return { leaseBalances: [...balances.values()], cancelledLeases: leases.map(cancelled) };
}

function cancelled({ leaseId }: LeaseDetails): NonNullable<Snapshot["cancelledLeases"]>[number] {
  return { leaseId, cancelTransactionId: undefined };
}

/**
 * Historical corrections of leases on mainnet and testnet. Early nodes allowed leases of more than an account owned,
 * let other accounts cancel them and lost track of sums; blocks at fixed heights corrected this.
 * The reference contains the results as lists, which do not fit the accounts of any other chain. Here they follow from
 * the state, by the rules of the Go node.
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
import { assertHistory } from "../state/history-missing.ts";
import type { LeaseDetails, StateView } from "../state/state-view.ts";
import { aliasesUniqueFrom } from "./checks/duplicates.ts";
import { isAliasDisabled } from "./checks/recipients.ts";

/**
 * Changes of the correction at the view's height, before rewards and fees of the block; empty except at a few heights.
 * @param view at the height of the new block. Cost at a correction: all leases of the chain
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

/**
 * Whether lease balances must equal the sums of active leases: on networks with corrections only after the last one.
 */
export function areLeasesRepaired({ height, settings }: Pick<StateView, "height" | "settings">): boolean {
  const { schemeCharacter, functionality } = settings;
  if (findChainWithHistory(settings) === undefined) return true;
  return height >= Math.max(functionality.resetEffectiveBalancesAtHeight, aliasesUniqueFrom(schemeCharacter));
}

/** Cancels every lease, and sets every lease balance to zero. */
function cancelAllLeases(view: StateView): Snapshot {
  return {
    leaseBalances: Array.from(view.leaseBalances(), ({ address }) => ({ address, in: 0n, out: 0n })),
    cancelledLeases: Array.from(view.activeLeases(), cancelled),
  };
}

/** Cancels all leases of accounts that leased more than they own; the recipients' sums stay wrong for now. */
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

/** Sets the incoming leases of an account to the sum of its active ones. */
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
    if (origin === undefined) assertHistory(view, `transaction ${encodeBase58(originTransactionId)}`);
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

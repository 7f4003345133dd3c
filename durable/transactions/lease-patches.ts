/**
 * Clean-ups of leases that mainnet and testnet went through. Early nodes let leases pass what an account owned, let
 * others cancel them and lost track of sums; blocks at fixed heights set this right.
 *
 * The reference ships the outcome as lists; here it follows from the state, by the rules of the Go node. One clean-up
 * does not: leases to aliases that had been taken over, see `isCleanUpMissing`.
 * @source Waves: state/patch/*; gowaves: pkg/state/{state,leases,balances}.go
 */
import { addressOfPublicKey } from "../../src/crypto/address.ts";
import { type BytesKey, bytesKey } from "../../src/crypto/bytes.ts";
import { Feature } from "../../src/network/features.ts";
import type { LeaseBalanceChange, Snapshot } from "../../src/protocol/snapshots/snapshot.ts";
import type { LeaseDetails, StateView } from "../state/state-view.ts";
import { aliasesUniqueFrom } from "./checks/duplicates.ts";

const mainnet = "W";
const networksWithReset: ReadonlySet<string> = new Set([mainnet, "T"]);

/**
 * What the clean-up at the height of the view changes, before rewards and fees of the block: nothing, but at a few
 * heights.
 * @param view at the height of the new block. Cost: all leases of the chain, where there is a clean-up
 */
export function leasePatches(view: StateView): Snapshot {
  const { height, settings } = view;
  const { resetEffectiveBalancesAtHeight, blockVersion3AfterHeight } = settings.functionality;
  const scheme = settings.schemeCharacter;
  if (networksWithReset.has(scheme) && height === resetEffectiveBalancesAtHeight) return cancelAllLeases(view);
  if (scheme !== mainnet) return {};
  if (height === blockVersion3AfterHeight) return cancelOverflowingLeases(view);
  if (height === aliasesUniqueFrom(scheme)) return correctLeaseIns(view);
  return {};
}

/**
 * Whether the block at the height of the view needs a clean-up that the state alone cannot give: at the activation of
 * feature 16 mainnet ended the leases to aliases that had been taken over, and neither the aliases nor the leases' names
 * for their recipients are kept.
 */
export function isCleanUpMissing(view: StateView): boolean {
  const isMainnet = view.settings.schemeCharacter === mainnet;
  return isMainnet && view.activationHeight(Feature.SynchronousCalls) === view.height;
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

function cancelled({ leaseId }: LeaseDetails): NonNullable<Snapshot["cancelledLeases"]>[number] {
  return { leaseId, cancelTransactionId: undefined };
}

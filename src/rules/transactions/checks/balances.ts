/**
 * Balance rule: no balance may end below zero, and it must cover outgoing leases and deposits.
 * @source Waves: state/diffs/BalanceDiffValidation.scala, of 1.5 before feature 25 and of 1.6 from it on
 */
import { addressOfPublicKey } from "../../../crypto/address.ts";
import { type BytesKey, bytesKey } from "../../../crypto/bytes.ts";
import type { Address } from "../../../crypto/identities.ts";
import { Feature } from "../../../network/features.ts";
import { RuleError } from "../../../protocol/errors.ts";
import type { LeaseBalance, Snapshot } from "../../../protocol/snapshots/snapshot.ts";
import type { BalanceProblem, LockedBalance } from "../../../protocol/transactions/transaction-violation.ts";
import { commitmentDeposit, depositOf } from "../../finality/deposit.ts";
import type { StateView } from "../../state/state-view.ts";

/**
 * Checks every balance that the snapshot changes.
 * @throws RuleError balancesInvalid, with all accounts with wrong WAVES balances, and the first with wrong asset
 *   balances
 */
export function checkBalances(snapshot: Snapshot, view: StateView): void {
  const { balances = [], leaseBalances = [] } = snapshot;
  const hasDeposits = view.has(Feature.DeterministicFinality);
  const problems = new Map<BytesKey, BalanceProblem>();
  for (const { address, asset, balance } of balances) {
    if (asset !== null) continue;
    const before = view.balance(address, null);
    if (balance >= before && !hasDeposits) continue;
    const leaseBefore = view.leaseBalance(address);
    const change: WavesChange = {
      account: address,
      before: { balance: before, lease: leaseBefore },
      after: { balance, lease: findLeaseBalance(leaseBalances, address) ?? leaseBefore },
    };
    const problem = hasDeposits ? problemWithDeposits(change, snapshot, view) : wavesProblem(change, view);
    if (problem !== undefined) problems.set(bytesKey(address), problem);
  }
  const overspent = balances.find(({ asset, balance }) => asset !== null && balance < 0n);
  if (overspent !== undefined) {
    problems.set(bytesKey(overspent.address), assetsProblem(overspent.address, snapshot));
  }
  if (problems.size > 0) throw new RuleError({ code: "balancesInvalid", problems: [...problems.values()] });
}

interface WavesState {
  readonly balance: bigint;
  readonly lease: LeaseBalance;
}

interface WavesChange {
  readonly account: Address;
  readonly before: WavesState;
  readonly after: WavesState;
}

function wavesProblem({ account, before, after }: WavesChange, view: StateView): BalanceProblem | undefined {
  if (after.balance < 0n) {
    return { kind: "negativeWaves", account, before: before.balance, after: after.balance };
  }
  if (mayTransferLeased(view)) return undefined;
  if (after.balance >= after.lease.out) return undefined;
  if (after.balance + after.lease.in - after.lease.out < 0n) {
    return { kind: "negativeEffective", account, before, after };
  }
  if (after.lease.out === before.lease.out) return { kind: "leasedMoneySpent", account };
  return { kind: "leasedMoreThanOwned", account, before, after };
}

/** From feature 25 on a balance is checked whichever way it changes, unless it is negative and grows. */
function problemWithDeposits(change: WavesChange, snapshot: Snapshot, view: StateView): BalanceProblem | undefined {
  const { account } = change;
  // No account of a chain is negative by then, except the anonymous sender of an evaluation, which has paid a fee.
  if (change.before.balance < 0n && change.after.balance >= change.before.balance) return undefined;
  if (change.after.balance < 0n)
    return { kind: "wavesOverspent", account, before: change.before.balance, after: change.after.balance };
  const deposit = depositOf(account, view);
  const before: LockedBalance = { ...change.before, deposit };
  const after: LockedBalance = { ...change.after, deposit: deposit + depositMade(account, snapshot, view) };
  const reason = lockedProblem(before, after, view);
  return reason && { kind: "lockedMoneySpent", account, reason, before, after };
}

function lockedProblem(
  before: LockedBalance,
  after: LockedBalance,
  view: StateView,
): Extract<BalanceProblem, { kind: "lockedMoneySpent" }>["reason"] | undefined {
  const withoutDeposit = after.balance - after.deposit;
  if (withoutDeposit < 0n) return after.deposit > before.deposit ? "depositMissing" : "depositSpent";
  if (withoutDeposit >= after.lease.out) return undefined;
  if (mayTransferLeased(view)) return before.deposit > 0n ? "depositOrLeaseSpent" : undefined;
  if (withoutDeposit + after.lease.in - after.lease.out < 0n) return "negativeEffective";
  return after.lease.out === before.lease.out ? "leaseSpent" : "leasedMoreThanOwned";
}

/** Before block version 3 leased money could be transferred. */
function mayTransferLeased({ height, settings }: StateView): boolean {
  return height <= settings.functionality.blockVersion3AfterHeight;
}

/** Deposit of the snapshot's own commitment. */
function depositMade(account: Address, { generationCommitments = [] }: Snapshot, view: StateView): bigint {
  if (generationCommitments.length === 0) return 0n;
  const key = bytesKey(account);
  const { chainId } = view.settings;
  const isMade = generationCommitments.some(({ sender }) => bytesKey(addressOfPublicKey(sender, chainId)) === key);
  return isMade ? commitmentDeposit : 0n;
}

function assetsProblem(account: Address, { balances = [] }: Snapshot): BalanceProblem {
  const key = bytesKey(account);
  const negative = balances.flatMap(({ address, asset, balance }) =>
    asset !== null && balance < 0n && bytesKey(address) === key ? [{ asset, balance }] : [],
  );
  return { kind: "negativeAssets", account, balances: negative };
}

function findLeaseBalance(changes: NonNullable<Snapshot["leaseBalances"]>, account: Address): LeaseBalance | undefined {
  if (changes.length === 0) return undefined;
  const key = bytesKey(account);
  const change = changes.find(({ address }) => bytesKey(address) === key);
  return change && { in: change.in, out: change.out };
}

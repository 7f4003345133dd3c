/**
 * No balance may end below zero, and what is leased out must stay covered.
 * @source Waves: state/diffs/BalanceDiffValidation.scala
 */
import { type BytesKey, bytesKey } from "../../../crypto/bytes.ts";
import type { Address } from "../../../crypto/identities.ts";
import { RuleError } from "../../../protocol/faults.ts";
import type { LeaseBalance, Snapshot } from "../../../protocol/snapshots/snapshot.ts";
import type { BalanceProblem } from "../../../protocol/transactions/faults.ts";
import type { StateView } from "../../state/state-view.ts";

/**
 * Looks at every balance that the snapshot changes.
 * @throws RuleError balancesInvalid, with all accounts whose WAVES are wrong and the first whose assets are
 */
export function checkBalances(snapshot: Snapshot, view: StateView): void {
  const { balances = [], leaseBalances = [] } = snapshot;
  const problems = new Map<BytesKey, BalanceProblem>();
  for (const { address, asset, balance } of balances) {
    if (asset !== null) continue;
    const before = view.balance(address, null);
    if (balance >= before) continue;
    const leaseBefore = view.leaseBalance(address);
    const leaseAfter = findLeaseBalance(leaseBalances, address) ?? leaseBefore;
    const problem = wavesProblem(
      address,
      { balance: before, lease: leaseBefore },
      { balance, lease: leaseAfter },
      view,
    );
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

function wavesProblem(
  account: Address,
  before: WavesState,
  after: WavesState,
  view: StateView,
): BalanceProblem | undefined {
  if (after.balance < 0n) {
    return { kind: "negativeWaves", account, before: before.balance, after: after.balance };
  }
  // Before block version 3 leased money could be transferred.
  if (view.height <= view.settings.functionality.blockVersion3AfterHeight) return undefined;
  if (after.balance >= after.lease.out) return undefined;
  if (after.balance + after.lease.in - after.lease.out < 0n) {
    return { kind: "negativeEffective", account, before, after };
  }
  if (after.lease.out === before.lease.out) return { kind: "leasedMoneySpent", account };
  return { kind: "leasedMoreThanOwned", account, before, after };
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

/**
 * Commitment to generate in the next period: makes the sender a generator and locks a deposit.
 * @source docs/protocol/consensus-and-finality.md 3.2; Waves 1.6: state/diffs/CommitToGenerationTransactionDiff.scala
 */
import { Feature } from "../../network/features.ts";
import { RuleError } from "../../protocol/errors.ts";
import type { Snapshot } from "../../protocol/snapshots/snapshot.ts";
import type { CommitToGenerationTransaction } from "../../protocol/transactions/transaction.ts";
import { requiredGeneratingBalance } from "../consensus/generating-balance.ts";
import { generatingBalanceNow } from "../consensus/generating-balance-now.ts";
import { nextGenerationPeriod } from "../finality/generation-period.ts";
import { OverlayView } from "../state/overlay-view.ts";
import type { StateView } from "../state/state-view.ts";
import type { BlockContext } from "./block-context.ts";
import { findPossessionError } from "./checks/possession.ts";
import { balancesAfter, portfolioOf, portfoliosOf } from "./portfolio.ts";
import { senderAddress } from "./sender-address.ts";

/**
 * Cost: two pairings, if the proof was not verified with the signatures. This check is last. The reference verifies the
 * proof before it checks existing commitments: a transaction with several violations gets another error here.
 * @throws RuleError featureNotActive, generationPeriodWrong, generatorAlreadyCommitted, endorserKeyCommitted,
 *   generatingBalanceMissing, endorserKeyInvalid, commitmentSignatureInvalid, sumOverflow
 */
export function applyCommitToGeneration(
  transaction: CommitToGenerationTransaction,
  view: StateView,
  context: Pick<BlockContext, "verifySignatures">,
): Snapshot {
  const { id, sender, fee, generationPeriodStart, endorserPublicKey } = transaction;
  const period = nextGenerationPeriod(view.height, view);
  if (period === undefined) throw new RuleError({ code: "featureNotActive", feature: Feature.DeterministicFinality });
  if (generationPeriodStart !== period.start)
    throw new RuleError({ code: "generationPeriodWrong", expected: period.start, got: generationPeriodStart });
  const account = senderAddress(transaction);
  if (view.findCommitment(period.start, account) !== undefined)
    throw new RuleError({ code: "generatorAlreadyCommitted", account });
  if (view.isEndorserKeyCommitted(period.start, endorserPublicKey))
    throw new RuleError({ code: "endorserKeyCommitted", endorserPublicKey });
  const snapshot: Snapshot = {
    ...balancesAfter(portfoliosOf(account, portfolioOf(null, -fee)), view),
    generationCommitments: [{ sender, endorserPublicKey, transactionId: id }],
  };
  const after = new OverlayView(view, { height: view.height });
  after.apply(snapshot);
  const balance = generatingBalanceNow(after, account);
  const required = requiredGeneratingBalance(view.height, view);
  if (balance < required) throw new RuleError({ code: "generatingBalanceMissing", balance, required });
  const violation = context.verifySignatures ? findPossessionError(transaction) : undefined;
  if (violation !== undefined) throw new RuleError(violation);
  return snapshot;
}

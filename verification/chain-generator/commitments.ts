/** Commitments of the node's generators. If only other accounts committed themselves, no generator could forge. */
import { blsPublicKeyOf, blsSecretKeyOf, blsSign } from "../../src/crypto/bls.ts";
import { feeUnitWavelets } from "../../src/protocol/transactions/fee-units.ts";
import { proofOfPossessionMessage } from "../../src/protocol/transactions/proof-of-possession.ts";
import { formatOf } from "../../src/protocol/transactions/table.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import { nextGenerationPeriod } from "../../src/rules/finality/generation-period.ts";
import type { TransactionGenerator } from "./transaction-generator.ts";

const type = TransactionType.CommitToGeneration;

export const commitmentGenerator: TransactionGenerator = {
  weight: 12,
  make: (world) => {
    const { random, accounts, view } = world;
    // The containing block is either after the tip, or the tip.
    const period = nextGenerationPeriod(random.boolean(0.5) ? view.height : view.height + 1, view);
    const generator = random.pick(accounts.generators);
    if (period === undefined || view.findCommitment(period.start, generator.address) !== undefined) return undefined;
    const secretKey = blsSecretKeyOf(generator.privateKey);
    const endorserPublicKey = blsPublicKeyOf(secretKey);
    return world.signed(generator, {
      type,
      version: 1,
      generationPeriodStart: period.start,
      endorserPublicKey,
      commitmentSignature: blsSign(secretKey, proofOfPossessionMessage(endorserPublicKey, period.start)),
      fee: world.fee(BigInt(formatOf(type).feeUnits ?? 1) * feeUnitWavelets),
    });
  },
};

/** Chain-wide data. @source docs/protocol/rest-api.md 3.14 */
import * as z from "zod";
import { int32, int64, named, type Schema } from "../../http/schema.ts";
import { address, base58, id } from "./values.ts";

export const activationStatus = named("ActivationStatus", () =>
  z.strictObject({
    height: int32(),
    votingInterval: int32(),
    votingThreshold: int32(),
    nextCheck: int32(),
    features: z.array(
      z.strictObject({
        id: int32(),
        description: z.string(),
        blockchainStatus: z.enum(["VOTING", "APPROVED", "ACTIVATED"]),
        nodeStatus: z.enum(["NOT_IMPLEMENTED", "IMPLEMENTED", "VOTED"]),
        activationHeight: int32().optional(),
        supportingBlocks: int32().optional(),
      }),
    ),
  }),
);

export const rewards = named("Rewards", () =>
  z.strictObject({
    height: int32(),
    totalWavesAmount: int64(),
    currentReward: int64(),
    minIncrement: int64(),
    term: int32(),
    nextCheck: int32(),
    votingIntervalStart: int32(),
    votingInterval: int32(),
    votingThreshold: int32(),
    votes: z.strictObject({ increase: int32(), decrease: int32() }),
    daoAddress: address().nullable(),
    xtnBuybackAddress: address().nullable(),
    tokenBuybackAddress: address().nullable().meta({ description: "Same as xtnBuybackAddress." }),
  }),
);

const hash = () => z.string().meta({ description: "32 bytes in hex, without a prefix." });

export const stateHash = named("StateHash", () =>
  z.strictObject({
    stateHash: hash(),
    wavesBalanceHash: hash(),
    assetBalanceHash: hash(),
    dataEntryHash: hash(),
    accountScriptHash: hash(),
    assetScriptHash: hash(),
    leaseBalanceHash: hash(),
    leaseStatusHash: hash(),
    sponsorshipHash: hash(),
    aliasHash: hash(),
    nextCommittedGeneratorsHash: hash().optional().meta({ description: "From feature 25 on." }),
    committedGeneratorBalancesHash: hash().optional().meta({ description: "From feature 25 on." }),
    snapshotHash: base58(),
    blockId: id(),
    baseTarget: z.bigint().meta({ type: "integer", format: "int64" }),
    height: int32(),
    version: z.string(),
  }),
);

const period = () =>
  z
    .strictObject({ start: int32(), end: int32() })
    .nullable()
    .meta({ description: "Both heights are included. null: feature 25 is not in force." });

const committed = () => ({
  address: address(),
  transactionId: id().meta({ description: "Id of the commitment." }),
});
const counted = () =>
  int64().meta({
    description: "Counted balance, wavelets: 0 if the balance is too low, or after a conflict.",
  });
const conflictHeight = () =>
  int32().meta({ description: "Height of the block with a conflicting endorsement of the generator." });

export const finality = named("Finality", () =>
  z.strictObject({
    height: int32(),
    finalizedHeight: int32(),
    currentGenerationPeriod: period(),
    currentGenerators: z.array(
      z.strictObject({ ...committed(), balance: counted(), conflictHeight: conflictHeight().nullable() }),
    ),
    nextGenerationPeriod: period(),
    nextGenerators: z.array(z.strictObject(committed())),
  }),
);

export const generators = named("Generators", () =>
  z.array(
    z.strictObject({ ...committed(), balance: counted().optional(), conflictHeight: conflictHeight().optional() }),
  ),
);

export const noGenerators: Schema = () => z.array(z.unknown()).max(0);

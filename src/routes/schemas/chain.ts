/** What holds for the chain as a whole. @source spec/rest-api.md 3.14 */
import * as z from "zod";
import { int32, int64, named } from "../../http/schema.ts";
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
    tokenBuybackAddress: address().nullable().meta({ description: "xtnBuybackAddress by another name." }),
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
    nextCommittedGeneratorsHash: hash().optional(),
    committedGeneratorBalancesHash: hash().optional(),
    snapshotHash: base58(),
    blockId: id(),
    baseTarget: z.bigint().meta({ type: "integer", format: "int64" }),
    height: int32(),
    version: z.string(),
  }),
);

const period = () => z.strictObject({ start: int32(), end: int32() }).nullable();

const committed = () => ({ address: address(), transactionId: id() });

export const finality = named("Finality", () =>
  z.strictObject({
    height: int32(),
    finalizedHeight: int32(),
    currentGenerationPeriod: period(),
    currentGenerators: z.array(
      z.strictObject({ ...committed(), balance: int64(), conflictHeight: int32().nullable() }),
    ),
    nextGenerationPeriod: period(),
    nextGenerators: z.array(z.strictObject(committed())),
  }),
);

export const generators = named("Generators", () =>
  z.array(z.strictObject({ ...committed(), balance: int64().optional(), conflictHeight: int32().optional() })),
);

/** Blocks and headers. @source docs/protocol/rest-api.md 3.1 */
import * as z from "zod";
import { int32, int64, named } from "../../http/schema.ts";
import { transactionInBlock } from "./transaction.ts";
import { address, balances, base58, byteString, id, publicKey, timestamp } from "./values.ts";

const finalizationVoting = named("FinalizationVoting", () =>
  z
    .strictObject({
      endorserIndexes: z.array(int32()).optional().meta({
        description: "Endorsers of the parent: indexes in `/generators/at` of this block's height, from 0 on.",
      }),
      aggregatedEndorsementSignature: base58()
        .optional()
        .meta({ description: "96 bytes: aggregate of all endorsers." }),
      finalizedHeight: int32().optional().meta({ description: "Finalized height of the endorsers." }),
      conflictEndorsements: z
        .array(
          z.strictObject({
            endorserIndex: int32(),
            finalizedBlockId: base58().meta({ description: "Block that it states to be final: up to 1,023 bytes." }),
            finalizedHeight: int32(),
            signature: base58().meta({ description: "96 bytes." }),
          }),
        )
        .optional()
        .meta({ description: "Endorsements that conflict with the chain." }),
    })
    .meta({ description: "From feature 25 on. Empty members are left out." }),
);

const features = () => z.array(int32()).meta({ description: "Features that the generator votes for." });
const desiredReward = () => int64().meta({ description: "Wavelets; -1: no vote." });

const headerMembers = () => ({
  version: int32(),
  timestamp: timestamp(),
  reference: id().meta({ description: "Id of the parent." }),
  "nxt-consensus": z.strictObject({
    "base-target": z.bigint().meta({ type: "integer", format: "int64" }),
    "generation-signature": base58(),
  }),
  transactionsRoot: base58().optional().meta({ description: "From version 5 on." }),
  id: id(),
  features: features().optional().meta({ description: "From version 3 on." }),
  desiredReward: desiredReward().optional().meta({ description: "From version 4 on." }),
  generator: address(),
  generatorPublicKey: publicKey(),
  stateHash: byteString().optional(),
  challengedHeader: z
    .strictObject({
      headerSignature: base58(),
      features: features().optional(),
      desiredReward: desiredReward().optional(),
      generator: address(),
      generatorPublicKey: publicKey(),
      stateHash: byteString().optional(),
      finalizationVoting: finalizationVoting().optional(),
    })
    .optional()
    .meta({ description: "Header of the block with a wrong state hash that this one replaces." }),
  finalizationVoting: finalizationVoting().optional(),
  signature: base58(),
  blocksize: int32().meta({ description: "Bytes of the whole block." }),
  transactionCount: int32(),
  height: int32(),
  totalFee: int64(),
  reward: int64(),
  rewardShares: balances().meta({ description: "Wavelets by address." }),
  VRF: base58().optional().meta({ description: "From version 5 on." }),
});

export const header = named("BlockHeader", () => z.strictObject(headerMembers()));

export const block = named("Block", () =>
  z
    .strictObject({
      ...headerMembers(),
      fee: int64().meta({ description: "Sum of the fees in WAVES." }),
      transactions: z.array(transactionInBlock()),
    })
    .meta({ extends: "BlockHeader" }),
);

export const blockHeight = named("Height", () => z.strictObject({ height: int32() }));

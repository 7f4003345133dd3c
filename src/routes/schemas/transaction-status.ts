/** Locations of transactions, and their proofs. @source docs/protocol/rest-api.md 3.11, 3.14 (merkle proof) */
import * as z from "zod";
import { int32, int64, named } from "../../http/schema.ts";
import { base58, id } from "./values.ts";

export const transactionStatus = named("TransactionStatus", () =>
  z.discriminatedUnion("status", [
    z.strictObject({
      status: z.literal("confirmed"),
      id: id(),
      height: int32(),
      confirmations: int32(),
      applicationStatus: z
        .enum(["succeeded", "script_execution_failed", "elided"])
        .optional()
        .meta({ description: "From feature 15 on." }),
      spentComplexity: int64(),
    }),
    z.strictObject({ status: z.enum(["unconfirmed", "not_found"]), id: id() }),
  ]),
);

export const merkleProof = named("MerkleProof", () =>
  z.strictObject({
    id: id(),
    transactionIndex: int32(),
    merkleProof: z.array(base58()).meta({ description: "From the leaf to the root." }),
  }),
);

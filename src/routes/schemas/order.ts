/** @source docs/protocol/rest-api.md 3.5 */
import * as z from "zod";
import { int32, int64, named } from "../../http/schema.ts";
import { address, asset, base58, byteString, id, publicKey, timestamp } from "./values.ts";

const members = () => ({
  version: int32(),
  senderPublicKey: publicKey(),
  matcherPublicKey: publicKey(),
  assetPair: z.strictObject({ amountAsset: asset(), priceAsset: asset() }),
  orderType: z.enum(["buy", "sell"]),
  amount: int64(),
  price: int64(),
  timestamp: timestamp(),
  expiration: timestamp(),
  matcherFee: int64(),
  signature: base58(),
  proofs: z.array(base58()).optional().meta({ description: "Absent for an order of an Ethereum wallet." }),
  matcherFeeAssetId: asset().optional().meta({ description: "From version 3 on." }),
  eip712Signature: z.string().nullable().optional().meta({ description: "From version 4 on: hex with 0x." }),
  priceMode: z
    .enum(["fixedDecimals", "assetDecimals"])
    .nullable()
    .optional()
    .meta({ description: "From version 4 on." }),
  attachment: byteString().optional(),
});

export const order = named("Order", () => z.strictObject({ ...members(), id: id(), sender: address() }));

/** An order inside a signed exchange. */
export const signedOrder = named("SignedOrder", () => {
  const { senderPublicKey, signature, version, ...rest } = members();
  return z.object({
    ...rest,
    version: version.optional().meta({ description: "Default: 1." }),
    senderPublicKey: senderPublicKey.optional().meta({ description: "Optional with eip712Signature." }),
    signature: signature.optional(),
  });
});

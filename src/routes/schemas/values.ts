/** Common values. @source docs/protocol/rest-api.md 1.11 */
import * as z from "zod";
import { int64, named } from "../../http/schema.ts";

export const address = named("Address", () =>
  z.string().meta({ description: "Address: base58 of 26 bytes, the second of which is the chain id." }),
);

/** Key of an account of this network, or of an Ethereum wallet. */
export const publicKey = named("PublicKey", () =>
  z.string().meta({ description: "Public key: base58 of 32 bytes; of 64 for an Ethereum wallet." }),
);

/** Address or alias. */
export const recipient = named("Recipient", () =>
  z.string().meta({ description: "Address, or alias with its prefix: `alias:<letter of the chain>:<name>`." }),
);

export const base58 = named("Base58", () => z.string().meta({ description: "Bytes in base58." }));

/** Any number of bytes, as chosen by the signer. */
export const byteString = named("ByteString", () =>
  z.string().meta({ description: "Bytes in base58; from 1,024 on in base64, with `base64:` before it." }),
);

export const id = named("Id", () =>
  z.string().meta({ description: "Id in base58: 32 bytes, or 64 if a signature is the id." }),
);

export const assetId = named("AssetId", () => z.string().meta({ description: "Id of an asset: base58 of 32 bytes." }));

/** null is WAVES, the asset without an id. */
export const asset = () => assetId().nullable();

export const script = named("Script", () =>
  z.string().meta({ description: "Compiled script: `base64:` and its bytes in base64." }),
);

/** Never a string, in any form of numbers. */
export const timestamp = named("Timestamp", () =>
  z.bigint().meta({ type: "integer", format: "int64", description: "Milliseconds since the epoch." }),
);

export const payments = () => z.array(z.strictObject({ amount: int64(), assetId: asset() }));

/** Complexities by the names of callables. */
export const complexities = () => z.record(z.string(), int64());

/** Balances by address. */
export const balances = () => z.record(z.string(), int64());

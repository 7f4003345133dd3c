import type { JsonValue } from "../../../src/protocol/json.ts";
import { root } from "../frame/page-location.ts";
import { post } from "../node/node-request.ts";
import type { Signer } from "../signing/signing.ts";
import type { ReadCall } from "./read-call.ts";

/** Loads the signing bundle. @param phrase a seed; it never leaves the page */
export async function loadSigner(phrase: string): Promise<Signer> {
  // A variable, so that the bundler does not follow the import.
  const bundle = `${root}/signing.js`;
  const { signerOf } = (await import(bundle)) as typeof import("../signing/signing.ts");
  return signerOf(phrase);
}

interface Given extends ReadCall {
  readonly dApp: string;
  /** Wavelets. */
  readonly fee: bigint;
  readonly signer: Signer;
  readonly timestampMs: number;
}

/**
 * The transaction with its proof. The node that serves this page encodes its bytes, and also serves the page itself: a
 * user who does not trust it should not sign here.
 * @throws NodeError the node cannot encode it
 */
export async function signedCall({ dApp, call, payment, fee, signer, timestampMs }: Given): Promise<JsonValue> {
  const unsigned = {
    type: 16,
    version: 2,
    senderPublicKey: signer.publicKey,
    dApp,
    call: { function: call.function, args: call.args },
    payment: payment.map(({ assetId, amount }) => ({ assetId, amount })),
    fee,
    feeAssetId: null,
    timestamp: timestampMs,
    proofs: [],
  };
  const { bytes } = await post<{ readonly bytes: readonly bigint[] }>("/utils/transactionSerialize", unsigned);
  return { ...unsigned, proofs: [signer.proofOf(Uint8Array.from(bytes, Number))] };
}

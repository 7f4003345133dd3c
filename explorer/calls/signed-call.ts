import type { JsonValue } from "../../src/protocol/json.ts";
import { root } from "../frame/place.ts";
import { post } from "../node/ask.ts";
import type { Signer } from "../signing/signing.ts";
import type { ReadCall } from "./read-call.ts";

/** @param phrase a seed; it stays here */
export async function loadSigner(phrase: string): Promise<Signer> {
  // Not a name that the bundler follows.
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
 * The transaction with its proof. Its bytes are written by the node that this page is from, which has said what the page is,
 * too: whoever does not trust it signs nothing here.
 * @throws NodeError the node cannot write it
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

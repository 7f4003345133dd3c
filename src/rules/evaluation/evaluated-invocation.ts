/**
 * Hypothetical transaction of an evaluated call, and the invocation that its callable sees.
 * @source Waves: api/http/utils/Evaluation.scala, UtilsEvaluationRequest.scala
 */
import { addressOfPublicKey } from "../../crypto/address.ts";
import type { PublicKey } from "../../crypto/identities.ts";
import { type Invocation, knownId } from "../../ride/objects/invocation.ts";
import type { ScriptInvoke } from "../../ride/objects/invoke-object.ts";
import { anonymousKey, type DAppEvaluationRequest, type EvaluatedCode } from "./dapp-evaluation.ts";

/** Fee of a call with an extra script: the assumed fee of an expression. */
const expressionFee = 2_000_000n;

export function evaluatedInvoke({ code, dApp, nowMs }: DAppEvaluationRequest, chainId: number): ScriptInvoke {
  return {
    ...partsOf(code, chainId),
    dApp: { kind: "address", address: dApp },
    get timestamp() {
      return BigInt(nowMs());
    },
    version: 1,
    bodyBytes: new Uint8Array(0),
    proofs: [],
  };
}

/** Fields that depend on the evaluated code. */
function partsOf(code: EvaluatedCode, chainId: number) {
  if (code.kind === "expression") {
    return {
      id: new Uint8Array(0),
      fee: expressionFee,
      feeAsset: null,
      sender: addressOfPublicKey(anonymousKey, chainId),
      senderPublicKey: anonymousKey,
      function: "",
      args: [],
      payments: [],
    };
  }
  const { transactionId, feeWavelets, feeAsset, senderPublicKey, args, payments } = code;
  return {
    id: transactionId,
    fee: feeWavelets,
    feeAsset,
    // The owner of the key pays, whatever the caller's address is.
    sender: addressOfPublicKey(senderPublicKey as PublicKey, chainId),
    senderPublicKey,
    function: code.function,
    args,
    payments,
  };
}

/** @param root result of `evaluatedInvoke` */
export function evaluatedInvocation(code: EvaluatedCode, root: ScriptInvoke): Invocation {
  const caller = code.kind === "call" ? code.sender : root.sender;
  return {
    caller,
    callerPublicKey: root.senderPublicKey,
    originCaller: caller,
    originCallerPublicKey: root.senderPublicKey,
    transactionId: knownId(code.kind === "call" ? code.transactionId : anonymousKey),
    feeWavelets: code.kind === "call" ? code.feeWavelets : 0n,
    feeAssetId: root.feeAsset,
    payments: root.payments.map(({ asset, amount }) => ({ assetId: asset, amount })),
    hasPaymentList: code.kind === "call",
  };
}

/**
 * Block context for a transaction outside of blocks: the tip, continued now.
 * @source Waves: utx/UtxPoolImpl.scala (addTransaction), api/http/DebugApiRoute.scala (validate)
 */
import { addressOfPublicKey } from "../../crypto/address.ts";
import type { StateView } from "../state/state-view.ts";
import type { BlockContext } from "./block-context.ts";

/**
 * @param view the tip, or a view over it
 * @throws Error without a genesis block
 */
export function tipContext(view: StateView, nowMs: number, verifySignatures: boolean): BlockContext {
  const tip = view.findHeader(view.height);
  if (tip === undefined) throw new Error("a transaction is judged on a chain with a genesis block");
  return {
    previousBlockTimestamp: tip.header.timestamp,
    blockTimestamp: BigInt(nowMs),
    blockGenerator: addressOfPublicKey(tip.header.generator, view.settings.chainId),
    verifySignatures,
  };
}

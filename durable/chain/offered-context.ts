import type { FlagReader } from "../../src/rules/blocks/verified-signatures.ts";
import type { AppendContext } from "./liquid-chain.ts";

/**
 * How a block is appended of whose signatures some were verified before.
 * @param flags stand at those of the block; afterwards behind them
 */
export function offeredContext(flags: FlagReader, transactions: number, nowMs: number): AppendContext {
  const verifyBlockSignature = !flags.next();
  const verified = Array.from({ length: transactions }, () => flags.next());
  return { nowMs, verifySignatures: true, verifyBlockSignature, isVerified: (index) => verified[index] === true };
}

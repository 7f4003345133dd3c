import type { TransactionSource } from "../../protocol/transactions/transaction-source.ts";
import { writtenScript } from "../../ride/script/written-script.ts";

/** Transactions that other nodes send, by themselves or in blocks. */
export const fromPeers: TransactionSource = { writtenScript, leavesChainOut: false, isRecord: false };

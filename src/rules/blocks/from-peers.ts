import type { TransactionSource } from "../../protocol/transactions/transaction-source.ts";
import { writtenScript } from "../../ride/script/written-script.ts";

/** Transactions from other nodes, alone or in blocks. */
export const fromPeers: TransactionSource = { writtenScript, ignoresChainId: false, isRecord: false };

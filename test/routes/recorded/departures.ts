/**
 * All recorded exchanges of private-a with other responses than recorded. An entry has the number of a group, the
 * verdict that replaces equality, and the reason. Responses without an entry must equal the recorded ones. The numbers
 * are exact: when a route is built or fixed, the replay fails until its entry is lowered or removed.
 */
import type { Judgement } from "./verdict.ts";

export interface Departure {
  readonly group: string;
  readonly judgement: Exclude<Judgement, "as recorded" | "different">;
  readonly exchanges: number;
  readonly reason: string;
}

const noList = "the reference breaks on a body without the list of ids; it is refused here";
const noHex = "the reference breaks on addresses and transactions that are none; they are refused here";
const noToken = "the reference breaks on a token that has not 20 bytes; it is refused here";
const badAsset = "the reference breaks on an asset id that is none; it is refused here";
const noBlock = "the reference breaks when it is asked for a delay before the first block; it is refused here";
const imported = "the reference forgets `after` on an imported chain; the page is held against the whole list";
const noType = "the reference breaks on the fee of a type that does not exist; it is refused here";
const library9 = "release 1.5 refuses library 9, which is compiled here";
const features = "release 1.5 has no features 24 and 25";
const noFunctions = "the reference breaks on accounts whose script has no functions; they are refused as no dApps";

export const departures: readonly Departure[] = [
  { group: "transactions/address", judgement: "later page", exchanges: 36, reason: imported },

  { group: "activation/status", judgement: "later features", exchanges: 1, reason: features },

  { group: "addresses/balance?", judgement: "400 with error 1", exchanges: 2, reason: noList },
  { group: "addresses/balance?", judgement: "400 with error 4007", exchanges: 2, reason: badAsset },
  { group: "addresses/data?", judgement: "400 with error 1", exchanges: 3, reason: noList },
  { group: "assets/balance?", judgement: "400 with error 1", exchanges: 3, reason: noList },
  { group: "assets/details", judgement: "400 with error 1", exchanges: 3, reason: noList },
  { group: "eth", judgement: "400 with error 199", exchanges: 6, reason: noHex },
  { group: "eth/assets", judgement: "400 with error 1", exchanges: 1, reason: noList },
  { group: "eth/assets", judgement: "400 with error 116", exchanges: 4, reason: noToken },
  { group: "blocks/delay", judgement: "400 with error 199", exchanges: 3, reason: noBlock },
  { group: "leasing/info", judgement: "400 with error 1", exchanges: 2, reason: noList },
  { group: "transactions/calculateFee", judgement: "400 with error 199", exchanges: 1, reason: noType },
  { group: "transactions/info", judgement: "400 with error 1", exchanges: 4, reason: noList },
  { group: "transactions/merkleProof", judgement: "400 with error 1", exchanges: 4, reason: noList },
  { group: "transactions/snapshot", judgement: "400 with error 1", exchanges: 4, reason: noList },
  { group: "transactions/status", judgement: "400 with error 1", exchanges: 4, reason: noList },

  { group: "utils/script/compileCode", judgement: "compiled", exchanges: 2, reason: library9 },
  { group: "utils/script/compileWithImports", judgement: "compiled", exchanges: 1, reason: library9 },
  { group: "utils/script/evaluate", judgement: "400 with error 199", exchanges: 12, reason: noFunctions },
];

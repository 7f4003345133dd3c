/** The attacks that `npm run attack` knows. */
import type { Attack } from "./attack.ts";
import { compilations } from "./compilations.ts";
import { eclipse } from "./eclipse.ts";
import { endorsements } from "./endorsements.ts";
import { evaluateAgain } from "./evaluate-again.ts";
import { falseScores } from "./false-scores.ts";
import { headerBombs } from "./header-bombs.ts";
import { hostileBodies } from "./hostile-bodies.ts";
import { passingConnections } from "./passing-connections.ts";
import { peerBlocks } from "./peer-blocks.ts";
import { peerRequests } from "./peer-requests.ts";
import { peerTransactions } from "./peer-transactions.ts";
import { refusedCalls } from "./refused-calls.ts";
import { silentPeers } from "./silent-peers.ts";
import { slowRequests } from "./slow-requests.ts";
import { unreadResponses } from "./unread-responses.ts";

export const allAttacks: readonly Attack[] = [
  ...[refusedCalls, evaluateAgain, compilations],
  ...[slowRequests, headerBombs, hostileBodies, unreadResponses, passingConnections],
  ...[silentPeers, peerRequests, falseScores, peerBlocks, peerTransactions, endorsements, eclipse],
];

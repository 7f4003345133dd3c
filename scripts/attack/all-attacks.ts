/** The attacks that `npm run attack` knows. */
import type { Attack } from "./attack.ts";
import { compilations } from "./compilations.ts";
import { evaluateAgain } from "./evaluate-again.ts";
import { refusedCalls } from "./refused-calls.ts";

export const allAttacks: readonly Attack[] = [refusedCalls, evaluateAgain, compilations];

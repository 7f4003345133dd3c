/** dApps of generated chains: some of the functions, in the syntax of a library version, with or without a verifier. */
import type { Script } from "../../../src/protocol/transactions/transaction.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { assetCallables } from "./asset-callables.ts";
import { callCallables } from "./call-callables.ts";
import type { Callable } from "./callable.ts";
import { compileRide, directives } from "./compile-ride.ts";
import { entryCallables } from "./entry-callables.ts";
import { expensiveFalsehood } from "./ride-text.ts";
import { verifierBody } from "./verifier-sources.ts";

export interface GeneratedDApp {
  readonly version: number;
  readonly source: string;
  readonly script: Script;
  readonly callables: readonly Callable[];
}

export const allCallables: readonly Callable[] = [...entryCallables, ...assetCallables, ...callCallables];

const callableProbability = 0.7;
const verifierProbability = 0.3;
const expensiveProbability = 0.35;
/** First version in which a signature check costs 200. */
const oneSignatureCostsTwice = 4;

export function makeDApp(random: SeededRandom, version: number): GeneratedDApp {
  const callables = allCallables.filter((each) => isIn(each, version) && random.boolean(callableProbability));
  const source = dAppSource(random, version, callables);
  return { version, source, script: compileRide(source), callables };
}

export function isIn({ since, until = Number.POSITIVE_INFINITY }: Callable, version: number): boolean {
  return since <= version && version <= until;
}

export function dAppSource(random: SeededRandom, version: number, callables: readonly Callable[]): string {
  const functions = callables.map(
    (each) => `@Callable(i)\nfunc ${each.name}(${each.parameters}) = {\n${bodyText(random, version, each)}\n}\n`,
  );
  const verifier = random.boolean(verifierProbability)
    ? [`@Verifier(tx)\nfunc verify() = {\n${verifierBody(random, version)}\n}\n`]
    : [];
  // Declarations of the script itself.
  const constants = `let edition = ${random.below(1_000_000)}\n`;
  return [directives(version, "DAPP", "ACCOUNT"), constants, ...functions, ...verifier].join("\n");
}

/** Some functions are expensive, so that their failures come late. */
function bodyText(random: SeededRandom, version: number, { body }: Callable): string {
  const text = body({ random, version });
  if (!random.boolean(expensiveProbability)) return text;
  const signatures = version < oneSignatureCostsTwice ? random.between(10, 18) : random.between(5, 8);
  return `if (${expensiveFalsehood(random, signatures, "i.transactionId")}) then throw("never") else {\n${text}\n}`;
}

/** Library functions with arguments that no compiler accepts. */
import { complexityIn, type LibraryFunction } from "../../../src/ride/functions/function-definition.ts";
import { libraryOf } from "../../../src/ride/functions/library.ts";
import { call } from "../../../src/ride/functions/tree.ts";
import type { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { parameterTypes } from "../typed-functions.ts";
import type { FamilyDApp, FuzzFamily } from "./family.ts";
import { type TreeCase, treeDApp } from "./tree-dapp.ts";
import { TreeValues } from "./tree-values.ts";

const versions = [3, 4, 5, 6, 8, 9];
const casesPerDApp = 60;
/** Complexity limit of a callable. */
const maxComplexity = 4_000;
/** Functions excluded: they read parts of the chain that this world lacks, or are covered by other families. */
const excluded =
  /^(assetBalance|wavesBalance|scriptHash|addressFromRecipient|isDataStorageUntouched|blockInfoByHeight|transaction|transferTransactionById|calculateDelay|invoke|reentrantInvoke|assetInfo|rsaVerify|groth16|bn256|validateCertificateChain)/;

export const functionsFamily: FuzzFamily = {
  name: "functions",
  summary: "any function of the library with arguments of any kind and number",
  dApps: (random, count) => {
    const dApps: FamilyDApp[] = [];
    for (let left = count; left > 0; left -= casesPerDApp) {
      const version = random.pick(versions);
      const values = new TreeValues(random, version);
      const rows = [...libraryOf({ libraryVersion: version, content: "dApp", guards: "account" }).values()].filter(
        (row) => isIncluded(row, version),
      );
      const cases = Array.from({ length: Math.min(left, casesPerDApp) }, () =>
        functionCase(random, values, random.pick(rows)),
      );
      dApps.push(treeDApp(version, cases));
    }
    return dApps;
  },
};

function isIncluded(row: LibraryFunction, version: number): boolean {
  return !excluded.test(row.name) && !readsAccount(row) && complexityIn(row, version) <= maxComplexity;
}

/** The forms of `getInteger` and the like that read an account. */
function readsAccount({ name, parameters }: LibraryFunction): boolean {
  return /^get(Integer|Boolean|Binary|String)/.test(name) && !/List\[/.test(parameters);
}

function functionCase(random: SeededRandom, values: TreeValues, row: LibraryFunction): TreeCase {
  const types = parameterTypes(row.parameters);
  const args = types.map((type) => (random.boolean(0.75) ? values.of(plainType(type)) : values.any()));
  const change = random.below(12);
  if (change === 0) args.pop();
  if (change === 1) args.push(values.any());
  if (change === 2) args.splice(0);
  const called = row.kind === "native" ? row.id : row.internalName;
  return { tree: call(called, ...args), note: `${row.name} (${called}) with ${args.length} arguments` };
}

function plainType(type: string): string {
  if (/^(Ceiling|Down)\|/.test(type)) return "Rounding";
  if (type === "RsaDigestAlgs" || type.startsWith("Md5|NoAlg")) return "Digest";
  return /^[A-Z]$/.test(type) ? "any" : type;
}

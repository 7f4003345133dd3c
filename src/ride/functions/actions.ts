/**
 * Functions of actions: actions that are more than their fields, their ids, calls of other dApps.
 * @source Waves: lang/v1/evaluator/ctx/impl/waves/Functions.scala
 */
import { assetIdOfIssue, leaseIdOfLease } from "../objects/action-ids.ts";
import { limitedObject, Structure, unit, type Value } from "../values/value.ts";
import { callOut } from "./call-out.ts";
import { type LibraryFunction, type NativeFunction, native, refusal } from "./function-definition.ts";

const issueFields = ["name", "description", "quantity", "decimals", "isReissuable", "compiledScript", "nonce"];
const leaseFields = ["recipient", "amount", "nonce"];
const issueParameters = "name: String, description: String, quantity: Int, decimals: Int, isReissuable: Boolean";
const leaseParameters = "recipient: Address|Alias, amount: Int";

export const actionFunctions: readonly LibraryFunction[] = [
  action(1090, `Issue(${issueParameters}): Issue`, 4, issueFields, [unit, 0n]),
  action(1091, `Issue(${issueParameters}, compiledScript: Script|Unit, nonce: Int): Issue`, 4, issueFields, []),
  action(1092, `Lease(${leaseParameters}): Lease`, 5, leaseFields, [0n]),
  action(1093, `Lease(${leaseParameters}, nonce: Int): Lease`, 5, leaseFields, []),
  native(1080, "calculateAssetId(issue: Issue): ByteVector", {
    since: 4,
    complexity: 10,
    takes: ["Object"],
    usage: "calculateAssetId(i: Issue)",
    evaluate: ([issue], { environment }) => {
      if (issue.type !== "Issue") throw refusal([issue], "calculateAssetId(i: Issue)");
      return assetIdOfIssue(issue, environment.transactionId());
    },
  }),
  native(1081, "calculateLeaseId(lease: Lease): ByteVector", {
    since: 5,
    complexity: 1,
    takes: ["Object"],
    usage: "calculateLeaseId(l: Lease)",
    evaluate: ([lease], { environment }) => {
      if (lease.type !== "Lease") throw refusal([lease], "calculateLeaseId(l: Lease)");
      return leaseIdOfLease(lease, environment.transactionId());
    },
  }),
  invocation(1020, "invoke"),
  invocation(1021, "reentrantInvoke"),
];

/** The function does not check the arguments: errors occur when the action is processed. */
function action(
  id: number,
  signature: string,
  since: number,
  fields: readonly string[],
  defaults: readonly Value[],
): NativeFunction {
  const definition = native(id, signature, { since, complexity: 1, takes: [] });
  return {
    ...definition,
    evaluate: (args) => {
      const given = [...args, ...defaults];
      const present = fields.slice(0, given.length);
      return limitedObject(
        new Structure(definition.name, new Map(present.map((field, index) => [field, given[index] as Value]))),
      );
    },
  };
}

function invocation(id: number, name: string): NativeFunction {
  const parameters = "dApp: Address|Alias, name: String|Unit, args: List[Any], payments: List[AttachedPayment]";
  const definition = native(id, `${name}(${parameters}): Any`, {
    since: 5,
    complexity: 75,
    availability: "dApp",
    takes: ["Any", "Any", "Any", "Any"],
    printedAs: `${name}(dApp: ByteVector, name: String, args: List[Any], payments: List[AttachedPayment]): Any`,
  });
  return { ...definition, callOut: callOut(name === "reentrantInvoke") };
}

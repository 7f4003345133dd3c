/**
 * Scripts of accounts.
 * @source docs/protocol/rest-api.md 2.1, 3.13; Waves: api/http/AddressApiRoute.scala (scriptInfo, scriptMeta)
 */
import { addressText } from "../../crypto/address.ts";
import { encodeBase58 } from "../../crypto/base58.ts";
import { encodePrefixedBase64 } from "../../crypto/base64.ts";
import { ApiError } from "../../http/api-error.ts";
import { json } from "../../http/route-response.ts";
import { address } from "../../http/value-kinds.ts";
import { featureActivationOf } from "../../network/features.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { accountScriptQuery } from "../../read-model/account-script.ts";
import { activationHeightsQuery } from "../../read-model/feature.ts";
import { EstimationError } from "../../ride/estimator/estimation-error.ts";
import { type Estimator, estimateScript, offChainAllowance } from "../../ride/estimator/script-complexity.ts";
import { type ArgumentType, callableTypes, MetaError } from "../../ride/script/dapp-meta.ts";
import type { DApp, Script } from "../../ride/script/expression.ts";
import { parseScript } from "../../ride/script/script-bytes.ts";
import { treeText } from "../../ride/script/tree-text.ts";
import { WorkRefused } from "../../ride/work-refused.ts";
import { estimatorOfCallables } from "../../rules/scripts/estimator-in-force.ts";
import { verifierFee } from "../../rules/scripts/verifier-fee.ts";
import { route } from "../../services/context.ts";
import { asOf } from "../../services/freshness.ts";
import { scriptInfo, scriptMeta } from "../schemas/account.ts";
import { tookTooLong } from "../utils/took-too-long.ts";

const info = route({
  method: "GET",
  path: "/addresses/scriptInfo/:address",
  dependsOn: "tip",
  params: { address },
  description: {
    tag: "addresses",
    summary: "Script of an account",
    notes: "An account without a script has nulls and zeros.",
    response: scriptInfo,
    errors: ["requestInvalid"],
    examples: [{ params: { address: "3M6VWfCr5aGQJFSm1A2fysEAemBdE64qxSi" } }],
  },
  handle: async ({ params, model, network }) => {
    const { chain, values } = await model.read(accountScriptQuery(params.address), activationHeightsQuery);
    const [account, heights] = values;
    const features = featureActivationOf(heights);
    const script = account && parseScript(account.script);
    const reach = { setAt: account?.height ?? chain.height, tip: chain.height };
    const estimator = estimatorOfCallables(features, reach, network.blockchain.functionality);
    const callables = script === undefined ? [] : callableComplexities(script, estimator);
    const verifierComplexity = account?.verifierComplexity ?? 0n;
    const complexity = callables.reduce((most, [, cost]) => (cost > most ? cost : most), verifierComplexity);
    return json(
      {
        address: addressText(params.address),
        script: account ? encodePrefixedBase64(account.script) : null,
        scriptText: script ? treeText(script) : null,
        version: script?.libraryVersion ?? null,
        complexity,
        verifierComplexity,
        callableComplexities: Object.fromEntries(callables),
        extraFee: account ? verifierFee(verifierComplexity, features, chain.height) : 0n,
        publicKey: account ? encodeBase58(account.publicKey) : null,
      },
      asOf(chain),
    );
  },
});

/** @throws ApiError: a script from another generator's block can take any number of steps */
function callableComplexities(script: Script, estimator: Estimator): readonly (readonly [string, bigint])[] {
  if (script.content !== "dApp") return [];
  const callables: Script = { ...script, dApp: { ...script.dApp, verifier: undefined } };
  try {
    const rules = { estimator, hasVerifierLimit: false, allowance: offChainAllowance() };
    const { callables: complexities } = estimateScript(callables, rules);
    const hidden = script.dApp.verifier?.function.name;
    return [...complexities].filter(([name]) => name !== hidden);
  } catch (error) {
    // A script of the chain was within its limits, but other rules may have been in force.
    if (error instanceof EstimationError) return [];
    if (error instanceof WorkRefused) throw new ApiError({ code: "requestInvalid", message: tookTooLong });
    throw error;
  }
}

const meta = route({
  method: "GET",
  path: "/addresses/scriptInfo/:address/meta",
  dependsOn: "tip",
  params: { address },
  description: {
    tag: "addresses",
    summary: "Names and argument types of a dApp's callables",
    response: scriptMeta,
    errors: ["requestInvalid"],
    examples: [{ params: { address: "3M4oVUEsK9TCAhxyjXqVZJ23LJkCEYLzgCt" } }],
  },
  handle: async ({ params, model }) => {
    const { chain, values } = await model.read(accountScriptQuery(params.address));
    const [account] = values;
    const found = account && metaJson(parseScript(account.script));
    return json({ address: addressText(params.address), ...(found && { meta: found }) }, asOf(chain));
  },
});

/** @throws ApiError */
function metaJson(script: Script): JsonObject {
  if (script.content !== "dApp") throw unreadable("Expected DApp");
  return { version: String(script.dApp.meta.version), callableFuncTypes: callablesJson(script.dApp) };
}

function callablesJson({ meta: dAppMeta, callables }: DApp): JsonObject {
  const types = typesOf(dAppMeta) ?? [];
  const entries = callables.slice(0, types.length).map(({ function: { name, parameters } }, index) => {
    const own = (types[index] ?? []).slice(0, parameters.length);
    return [name, own.map((type, position) => ({ name: parameters[position] ?? "", type: typeText(type) }))] as const;
  });
  return Object.fromEntries(entries);
}

function typesOf(dAppMeta: DApp["meta"]) {
  try {
    return callableTypes(dAppMeta);
  } catch (error) {
    if (error instanceof MetaError) throw unreadable(error.message);
    throw error;
  }
}

function typeText({ types, isList }: ArgumentType): string {
  const union = types.join("|");
  return isList ? `List[${union}]` : union;
}

function unreadable(reason: string): ApiError {
  return new ApiError({ code: "requestInvalid", message: `ScriptParseError(${reason})` });
}

export const accountScriptRoutes = [info, meta];

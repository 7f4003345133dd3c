/**
 * Compilation and decompilation of scripts, and their costs.
 * @source docs/protocol/rest-api.md 2.11; Waves: api/http/utils/UtilsApiRoute.scala
 */

import * as z from "zod";
import { encodePrefixedBase64 } from "../../crypto/base64.ts";
import { ApiError } from "../../http/api-error.ts";
import { optional } from "../../http/query.ts";
import { plainJson, rawText } from "../../http/request-body.ts";
import { constant, json, type RouteResponse } from "../../http/route-response.ts";
import { once } from "../../http/schema.ts";
import { boolean } from "../../http/value-kinds.ts";
import type { FeatureActivation } from "../../network/features.ts";
import { Feature, featureActivationOf } from "../../network/features.ts";
import { WireError } from "../../protocol/errors.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { scriptExtraFeeWavelets } from "../../protocol/transactions/fee-units.ts";
import { FormatError } from "../../protocol/transactions/format-error.ts";
import { parseScript as parseScriptBytes } from "../../protocol/transactions/json-fields.ts";
import type { Chain } from "../../read-model/chain.ts";
import { activationHeightsQuery } from "../../read-model/feature.ts";
import { type Compilation, CompilationError } from "../../ride/compiler/compile.ts";
import { SourceTooLong } from "../../ride/compiler/source-bound.ts";
import { decompile, SourceTooLarge } from "../../ride/decompiler/decompile.ts";
import { EstimationError } from "../../ride/estimator/estimation-error.ts";
import { estimateScript, offChainAllowance, type ScriptComplexity } from "../../ride/estimator/script-complexity.ts";
import type { Script } from "../../ride/script/expression.ts";
import { parseScript } from "../../ride/script/script-bytes.ts";
import { treeText } from "../../ride/script/tree-text.ts";
import { NO_REASON } from "../../ride/script/wire-form.ts";
import { WorkRefused } from "../../ride/work-refused.ts";
import { defaultLibraryVersion } from "../../rules/scripts/default-library-version.ts";
import { estimatorInForce } from "../../rules/scripts/estimator-in-force.ts";
import { verifierFee } from "../../rules/scripts/verifier-fee.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { asOf } from "../../services/freshness.ts";
import {
  compiledScript,
  compiledWithImports,
  decompiledScript,
  scriptEstimate,
  scriptText,
  source as sourceSchema,
} from "../schemas/script-source.ts";
import { tookTooLong } from "./took-too-long.ts";

interface Rules {
  readonly chain: Chain;
  readonly features: FeatureActivation;
}

async function rulesNow({ model }: NodeContext): Promise<Rules> {
  const { chain, values } = await model.read(activationHeightsQuery);
  return { chain, features: featureActivationOf(values[0]) };
}

/** @throws ApiError */
async function compiled(
  source: string,
  { libraries, compacts }: { libraries: Readonly<Record<string, string>>; compacts: boolean },
  { chain, features }: Rules,
  { network, scripts, turn, countedHost }: NodeContext,
): Promise<Compilation> {
  const asked = {
    source,
    libraries,
    compacts,
    estimator: estimatorInForce(features, chain.height, network.blockchain.functionality),
    defaultLibraryVersion: defaultLibraryVersion(features, chain.height),
    isOwner: countedHost() === undefined,
  };
  try {
    return await scripts.compile(asked, turn);
  } catch (error) {
    if (error instanceof CompilationError) throw refused(error.message);
    if (error instanceof SourceTooLong) throw invalid(tookTooLong);
    throw error;
  }
}

function refused(message: string | null): ApiError {
  return new ApiError({ code: "compilationFailed", message });
}

const compileCode = route({
  method: "POST",
  path: "/utils/script/compileCode",
  dependsOn: "tip",
  query: { compact: optional(boolean, "With short names of variables.") },
  body: rawText(sourceSchema),
  description: {
    tag: "utils",
    summary: "Compile a script",
    response: compiledScript,
    errors: ["compilationFailed", "requestInvalid"],
    examples: [{ body: "{-# STDLIB_VERSION 1 #-}\n{-# CONTENT_TYPE EXPRESSION #-}\n{-# SCRIPT_TYPE ASSET #-}\ntrue" }],
  },
  handle: async (node) => {
    const rules = await rulesNow(node);
    const options = { libraries: {}, compacts: node.query.compact ?? false };
    const compilation = await compiled(node.body, options, rules, node);
    const { script, complexity, verifierComplexity, callableComplexities } = compilation;
    return json(
      {
        script: encodePrefixedBase64(script),
        complexity,
        verifierComplexity,
        callableComplexities: Object.fromEntries(callableComplexities),
        extraFee: verifierFee(verifierComplexity, rules.features, rules.chain.height),
      },
      asOf(rules.chain),
    );
  },
});

const importsRequest = once(() =>
  z.object({
    script: sourceSchema(),
    imports: z.record(z.string(), z.string()).meta({ description: "Sources of libraries by name." }),
  }),
);

const compileWithImports = route({
  method: "POST",
  path: "/utils/script/compileWithImports",
  dependsOn: "tip",
  body: plainJson(importsRequest),
  description: {
    tag: "utils",
    summary: "Compile a script that imports libraries",
    response: compiledWithImports,
    errors: ["compilationFailed", "requestInvalid"],
    examples: [{ body: { script: "true", imports: {} } }],
  },
  handle: async (node) => {
    const rules = await rulesNow(node);
    const { script: source, imports } = node.body;
    const options = { libraries: imports, compacts: false };
    const { script, verifierComplexity } = await compiled(source, options, rules, node);
    return json(
      {
        script: encodePrefixedBase64(script),
        complexity: verifierComplexity,
        // Cheap verifiers pay, too.
        extraFee: scriptExtraFeeWavelets,
      },
      asOf(rules.chain),
    );
  },
});

/** Characters of a script's base64 that take as long as a complexity of 1. */
const COMPLEXITY_CHARACTERS = 50;

/** Waits for the turn to read a script. */
async function begin({ turn }: NodeContext, base64: string): Promise<void> {
  await turn.begin();
  turn.spent(base64.length / COMPLEXITY_CHARACTERS);
}

/** Parses a script in base64, or returns the error. */
function readScript(base64: string): Script | { readonly reason: string } {
  try {
    return parseScript(parseScriptBytes(base64));
  } catch (error) {
    if (error instanceof WireError) return { reason: error.reason };
    if (error instanceof FormatError && error.violation.code === "scriptUnreadable") return error.violation;
    throw error;
  }
}

const decompileScript = route({
  method: "POST",
  path: "/utils/script/decompile",
  dependsOn: "request",
  body: rawText(scriptText),
  description: {
    tag: "utils",
    summary: "Decompile a script",
    response: decompiledScript,
    errors: ["requestInvalid"],
    examples: [{ body: "base64:AQa3b8tH" }],
  },
  handle: async (node): Promise<RouteResponse> => {
    const { body } = node;
    await begin(node, body);
    const script = readScript(body.trim());
    if ("reason" in script) throw invalid(`ScriptParseError(${script.reason})`);
    try {
      const { source, directives } = decompile(script);
      return json({ ...directives, script: source }, constant);
    } catch (error) {
      if (error instanceof SourceTooLarge) throw invalid(tookTooLong);
      throw error;
    }
  },
});

function invalid(message: string): ApiError {
  return new ApiError({ code: "requestInvalid", message });
}

/** Steps of an estimate that take as long as a complexity of 1. */
const COMPLEXITY_STEPS = 200;

const estimate = route({
  method: "POST",
  path: "/utils/script/estimate",
  dependsOn: "tip",
  body: rawText(scriptText),
  description: {
    tag: "utils",
    summary: "Complexity of a script",
    notes: "By the estimator in force at the tip.",
    response: scriptEstimate,
    errors: ["compilationFailed", "requestInvalid"],
    examples: [{ body: "base64:AQa3b8tH" }],
  },
  handle: async (node) => {
    await begin(node, node.body);
    const script = readScript(node.body);
    if ("reason" in script) throw refused(script.reason === NO_REASON ? null : script.reason);
    const { chain, features } = await rulesNow(node);
    await node.turn.begin();
    const estimator = estimatorInForce(features, chain.height, node.network.blockchain.functionality);
    const forbidsUnusedCalls = !features.isActive(Feature.RideV6, chain.height);
    const rules = {
      estimator,
      hasVerifierLimit: false,
      forbidsUnusedCalls,
      isOwnerUnknown: true,
      allowance: offChainAllowance(),
    };
    const { steps } = rules.allowance;
    const complexity = estimated(() => {
      try {
        return estimateScript(script, rules);
      } finally {
        node.turn.spent((steps - rules.allowance.steps) / COMPLEXITY_STEPS);
      }
    });
    const { verifier } = complexity;
    return json(
      {
        script: node.body,
        scriptText: treeText(script),
        ...complexityJson(complexity),
        extraFee: verifierFee(verifier, features, chain.height),
      },
      asOf(chain),
    );
  },
});

function estimated(ask: () => ScriptComplexity): ScriptComplexity {
  try {
    return ask();
  } catch (error) {
    if (error instanceof EstimationError) throw refused(error.message);
    if (error instanceof WorkRefused) throw invalid(tookTooLong);
    throw error;
  }
}

function complexityJson({ maximum, verifier, callables }: ScriptComplexity): JsonObject {
  return { complexity: maximum, verifierComplexity: verifier, callableComplexities: Object.fromEntries(callables) };
}

export const scriptSourceRoutes = [compileCode, compileWithImports, decompileScript, estimate];

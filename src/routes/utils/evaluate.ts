/**
 * Evaluation of expressions and calls at a dApp, without a transaction.
 * @source docs/protocol/rest-api.md 3.15; Waves: api/http/utils/UtilsApiRoute.scala (evaluate),
 *   UtilsEvaluationRequest.scala
 */
import { addressOfPublicKey, addressText, parseAddress } from "../../crypto/address.ts";
import { addressErrorText } from "../../crypto/address-error-text.ts";
import { base58ErrorText, encodeBase58, parseBase58 } from "../../crypto/base58.ts";
import type { Address, PublicKey } from "../../crypto/identities.ts";
import { requestsStrings } from "../../http/accept.ts";
import { ApiError } from "../../http/api-error.ts";
import { apiErrorResponse, formatErrorResponse, standaloneRefusalJson } from "../../http/errors.ts";
import { type Mismatch, mismatch } from "../../http/kind.ts";
import { optional } from "../../http/query.ts";
import { checkedObject } from "../../http/request-body.ts";
import { json, type RouteResponse } from "../../http/route-response.ts";
import { withSignificandStrings } from "../../http/significand.ts";
import { address, boolean, booleanText } from "../../http/value-kinds.ts";
import { RuleError } from "../../protocol/errors.ts";
import { JsonDecimal, type JsonObject } from "../../protocol/json.ts";
import type { ParsedJson, ParsedObject } from "../../protocol/parse-json.ts";
import { isJsonObject } from "../../protocol/parse-json.ts";
import type { Asset, AssetId } from "../../protocol/transactions/asset.ts";
import { baseFeeWavelets } from "../../protocol/transactions/fee-units.ts";
import { FormatError } from "../../protocol/transactions/format-error.ts";
import { evaluatedCallRequest } from "../../protocol/transactions/function-call.ts";
import { assetText } from "../../protocol/transactions/json-fields.ts";
import * as reader from "../../protocol/transactions/json-reader.ts";
import { firstDAppVersion } from "../../protocol/transactions/library-versions.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { StateQueryTooLarge } from "../../read-model/state/published-state.ts";
import { CompilationError, NumberOutOfRange } from "../../ride/compiler/compile.ts";
import { SourceTooLong } from "../../ride/compiler/source-bound.ts";
import { cachedScript } from "../../ride/evaluator/dapp-program.ts";
import { evaluationResultJson } from "../../ride/evaluator/evaluation-result.ts";
import { callArgumentValue } from "../../ride/objects/call-arguments.ts";
import { findPaymentsError } from "../../ride/objects/invoke-object.ts";
import { callResultJson } from "../../ride/results/call-result-json.ts";
import { TraceTooLong } from "../../ride/values/log-json.ts";
import { WorkRefused } from "../../ride/work-refused.ts";
import { type AssumedBalance, anonymousKey, type EvaluatedCode } from "../../rules/evaluation/dapp-evaluation.ts";
import { evaluateDApp } from "../../rules/evaluation/evaluate-dapp.ts";
import { HistoryMissing } from "../../rules/state/history-missing.ts";
import { chainTimeMs } from "../../services/chain-time.ts";
import type { CompiledExpressions } from "../../services/compiled-expressions.ts";
import { route } from "../../services/context.ts";
import { asOf, withTexts } from "../../services/freshness.ts";
import { evaluation, evaluationRequest as questionSchema } from "../schemas/evaluation.ts";
import { tookTooLong } from "./took-too-long.ts";

const publicKeyBytes = 32;
const unreadable = "failed to parse json message";
const defaultFee = baseFeeWavelets(TransactionType.InvokeScript);
/** Version whose payment rules apply to calls of any version. */
const paymentsVersion = 6;

/** A non-negative amount, as a number or a text. */
const nonNegative: reader.JsonRead<bigint> = (value) => {
  const isText = typeof value === "string" && /^[+-]?\d{1,19}$/.test(value);
  const amount = reader.long(isText ? BigInt(value.replace("+", "")) : value);
  if (amount instanceof reader.Refused) return reader.refuse(noAmount(value));
  return amount >= 0n ? amount : reader.refuse("error.expected.txnonnegativeamount");
};

function noAmount(value: ParsedJson): string {
  if (typeof value === "string") return "error.expected.numberformatexception";
  const isNumber = typeof value === "bigint" || value instanceof JsonDecimal;
  return isNumber ? "error.invalid.long" : "error.expected.jsnumberorjsstring";
}

const accountOverride = reader.object({
  assetBalances: reader.withDefault(reader.entries(assetText, nonNegative), []),
  regularBalance: reader.nullable(nonNegative),
});

/** @param chainId network of the addresses */
function stateOverride(chainId: number) {
  const accountName = (text: string): Address | reader.Refused => {
    const account = parseAddress(text, chainId);
    if (account instanceof Uint8Array) return account;
    return reader.refuse(`Can't parse Address in accounts: InvalidAddress(${addressErrorText(account)})`);
  };
  const accounts = reader.entries(accountName, accountOverride);
  return reader.nullable(reader.object({ accounts: reader.withDefault(accounts, []) }));
}
type StateOverride = Exclude<ReturnType<ReturnType<typeof stateOverride>>, reader.Refused>;

const expressionRequest = (chainId: number) =>
  reader.object({ expr: reader.required(reader.unitsText), state: stateOverride(chainId) });
const callRequest = (chainId: number) =>
  reader.object({
    call: reader.withDefault(evaluatedCallRequest, null),
    id: reader.withDefault(reader.text, encodeBase58(anonymousKey)),
    fee: reader.withDefault(reader.long, defaultFee),
    feeAssetId: reader.nullable(reader.text),
    sender: reader.nullable(reader.text),
    senderPublicKey: reader.withDefault(reader.text, encodeBase58(anonymousKey)),
    payment: reader.withDefault(
      reader.list(
        reader.object({ amount: reader.required(reader.long), assetId: reader.withDefault(assetText, null) }),
      ),
      [],
    ),
    state: stateOverride(chainId),
  });
type CallRequest = Exclude<ReturnType<ReturnType<typeof callRequest>>, reader.Refused>;

/** An error reported in a response with status 200. */
class ReportedError extends Error {
  readonly value: JsonObject;
  constructor(value: JsonObject) {
    super("the response reports an error");
    this.value = value;
  }
}

function reportedError(response: RouteResponse): ReportedError {
  return new ReportedError(response.kind === "error" && isObject(response.value) ? response.value : {});
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function reportedMessage(message: string): ReportedError {
  return reportedError(apiErrorResponse({ code: "requestInvalid", message }));
}

const evaluate = route({
  method: "POST",
  path: "/utils/script/evaluate/:address",
  dependsOn: "tip",
  isReadOnly: true,
  params: { address },
  query: { trace: optional(booleanText, "Whether to include intermediate values.") },
  body: checkedObject(questionSchema),
  description: {
    tag: "utils",
    summary: "Evaluate an expression or a call at a dApp",
    notes: "The state does not change. Errors of the script have status 200.",
    response: evaluation,
    errors: ["requestInvalid"],
    examples: [
      {
        params: { address: "3M5kUssr7m8pDD9ivSpcaPg3RSB8bYVyZRR" },
        body: { expr: "[-61361, -61118, 80075, -20415, -37544].size()" },
      },
    ],
  },
  handle: async ({
    params,
    query,
    body,
    request,
    limits,
    queryState,
    expressions,
    turn,
    chainId,
    ...node
  }): Promise<RouteResponse | Mismatch> => {
    const name = addressText(params.address);
    const kind = `evaluate ${name} ${calledIn(body)}`;
    const { chain, value: account } = await queryState((view) => view.findAccountScript(params.address), {
      kind,
      // Before its source is compiled.
      runsScripts: true,
    });
    const notDApp = () => new ApiError({ code: "requestInvalid", message: `Address ${name} is not dApp` });
    if (account === undefined) throw notDApp();
    const hasTrace = query.trace === undefined ? false : boolean.read(query.trace, chainId);
    if (hasTrace === mismatch) return mismatch;
    const script = cachedScript(account.script);
    const atMs = await chainTimeMs(node);
    let isTimed = false;
    const evaluated = async (): Promise<JsonObject> => {
      const { code, balances } = await evaluationRequestOf(body, {
        libraryVersion: script.libraryVersion,
        chainId,
        expressions,
        spent: (complexity) => turn.spent(complexity),
      });
      // The reference fails on a script without functions, and reports the versions that had no dApps.
      if (script.content !== "dApp") {
        throw script.libraryVersion >= firstDAppVersion ? notDApp() : reportedMessage(noDApp(script.libraryVersion));
      }
      const evaluationInput = {
        dApp: params.address,
        code,
        balances,
        complexityLimit: limits.evaluationComplexity,
        nowMs: () => {
          isTimed = true;
          return atMs;
        },
      };
      const { value } = await queryState((view) => evaluateDApp(evaluationInput, view), { kind, runsScripts: true });
      return evaluationResultJson(value.evaluation, { hasTrace, stateChanges: callResultJson(value.result) });
    };
    const value = await evaluated().catch(errorJson);
    const asText = requestsStrings(request.headers.get("Accept"));
    const asTexts = asText && value["result"] !== undefined ? { result: withSignificandStrings(value["result"]) } : {};
    const freshness = withTexts(asOf(chain, isTimed), asText);
    return json({ ...value, ...asTexts, ...(body as JsonObject), address: name }, freshness);
  },
});

/** Name of the called function, if the request has the usual form: calls of one function usually read the same rows. */
function calledIn({ call }: ParsedObject): string {
  const called = isJsonObject(call) ? call["function"] : undefined;
  return typeof called === "string" ? called : "";
}

function noDApp(libraryVersion: number): string {
  return `Inconsistent set of directives (V${libraryVersion},Account,DApp) could be (V3 or newer, ACCOUNT, DAPP), (<any>, <any>, LIBRARY) or (<any>, <any>, EXPRESSION)`;
}

/** Reports an error of the request or of the actions as part of a response. @throws all other errors */
function errorJson(error: unknown): JsonObject {
  if (error instanceof ReportedError) return error.value;
  if (error instanceof NumberOutOfRange) throw new ApiError({ code: "requestInvalid", message: error.message });
  if (error instanceof CompilationError) return reportedMessage(error.message).value;
  if (error instanceof HistoryMissing) return reportedMessage(error.message).value;
  if (error instanceof SourceTooLong || error instanceof StateQueryTooLarge || error instanceof WorkRefused)
    return reportedMessage(tookTooLong).value;
  if (error instanceof TraceTooLong)
    return reportedMessage("The trace is too long: repeat the request without it").value;
  if (error instanceof RuleError) return standaloneRefusalJson(error.violation);
  // Errors in the members of the request have the message of a body that is not JSON.
  if (error instanceof FormatError)
    return { ...reportedError(formatErrorResponse(error.violation)).value, message: unreadable };
  throw error;
}

interface EvaluationRequest {
  readonly code: EvaluatedCode;
  readonly balances: readonly AssumedBalance[];
}

interface EvaluationContext {
  /** Version of the dApp. */
  readonly libraryVersion: number;
  readonly chainId: number;
  readonly expressions: CompiledExpressions;
  /** Gets what the compiler has taken. */
  readonly spent: (complexity: number) => void;
}

/** @throws Told, ApiError, CompilationError, FormatError */
async function evaluationRequestOf(
  body: ParsedObject,
  { libraryVersion, chainId, expressions, spent }: EvaluationContext,
): Promise<EvaluationRequest> {
  const expression = expressionRequest(chainId)(body);
  const call = callRequest(chainId)(body);
  const { state: _, ...own } = body;
  if (!(expression instanceof reader.Refused)) {
    if (!(call instanceof reader.Refused) && Object.keys(own).length > 1) {
      throw reportedError(apiErrorResponse({ code: "conflictingQuestion" }));
    }
    return {
      code: { kind: "expression", expression: await expressions.compile(expression.expr, libraryVersion, spent) },
      balances: balancesOf(expression.state),
    };
  }
  if (call instanceof reader.Refused) throw reader.complaintsError(call);
  return { code: callOf(call, chainId), balances: balancesOf(call.state) };
}

/** @throws Told, ApiError, FormatError */
function callOf(request: CallRequest, chainId: number): EvaluatedCode {
  const senderPublicKey = publicKeyOf(request.senderPublicKey);
  const transactionId = bytesOf(request.id);
  const feeAsset: Asset = request.feeAssetId === null ? null : (bytesOf(request.feeAssetId) as Uint8Array as AssetId);
  const sender =
    request.sender === null ? addressOfPublicKey(senderPublicKey, chainId) : senderOf(request.sender, chainId);
  const payments = request.payment.map(({ amount, assetId }) => ({ amount, asset: assetId }));
  const options = { libraryVersion: paymentsVersion, allowsSeveral: true, script: "DApp" };
  const error = findPaymentsError(payments.length, options);
  if (error !== undefined) throw reportedMessage(error);
  const invalid = payments.find(({ amount }) => amount <= 0n);
  if (invalid !== undefined) {
    const asset = invalid.asset === null ? "Waves" : encodeBase58(invalid.asset);
    throw new ReportedError({ error: 115, message: `non-positive amount: ${invalid.amount} of ${asset}` });
  }
  return {
    kind: "call",
    function: request.call?.function ?? "default",
    args: (request.call?.args ?? []).map(callArgumentValue),
    sender,
    senderPublicKey,
    transactionId,
    feeWavelets: request.fee,
    feeAsset,
    payments,
  };
}

/** @throws Told: the text is not base58; ApiError: the key has the wrong length */
function publicKeyOf(text: string): PublicKey {
  const bytes = parseBase58(text);
  if (!(bytes instanceof Uint8Array)) throw reportedError(apiErrorResponse({ code: "addressInvalid" }));
  if (bytes.length === publicKeyBytes) return bytes as Uint8Array as PublicKey;
  const message = `requirement failed: invalid public key length: ${bytes.length}`;
  throw new ApiError({ code: "requestInvalid", message });
}

/** @throws Told */
function bytesOf(text: string): Uint8Array {
  const bytes = parseBase58(text);
  if (bytes instanceof Uint8Array) return bytes;
  throw reportedMessage(base58ErrorText(bytes));
}

/** @throws Told */
function senderOf(text: string, chainId: number): Address {
  const parsed = parseAddress(text, chainId);
  if (parsed instanceof Uint8Array) return parsed;
  throw reportedError(apiErrorResponse({ code: "addressInvalid" }));
}

function balancesOf(state: StateOverride): readonly AssumedBalance[] {
  return (state?.accounts ?? []).flatMap(([owner, { regularBalance, assetBalances }]) => {
    const regular = regularBalance === null ? [] : [{ address: owner, asset: null, balance: regularBalance }];
    return [...regular, ...assetBalances.map(([asset, balance]) => ({ address: owner, asset, balance }))];
  });
}

export const evaluationRoutes = [evaluate];

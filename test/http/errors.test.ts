/**
 * Every error code with its response, byte by byte as in the reference. A code without an entry does not compile.
 * @source docs/protocol/rest-api.md 1.5, 4; Waves: api/http/ApiError.scala
 */

import { describe, expect, it } from "vitest";
import { addressOfPublicKey, addressText } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import type { Address, PublicKey } from "../../src/crypto/identities.ts";
import type { ApiErrorDetails } from "../../src/http/api-error.ts";
import { apiErrorResponse, formatErrorResponse, refusalResponse, unknownErrorResponse } from "../../src/http/errors.ts";
import type { RouteResponse } from "../../src/http/route-response.ts";
import { Feature } from "../../src/network/features.ts";
import { jsonText } from "../../src/protocol/json.ts";
import type { AssetId } from "../../src/protocol/transactions/asset.ts";
import type { FormatViolation } from "../../src/protocol/transactions/format-error.ts";
import type { Order, OrderId } from "../../src/protocol/transactions/order.ts";
import type { LeaseId, Transaction, TransactionId } from "../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import type { TransactionViolation } from "../../src/protocol/transactions/transaction-violation.ts";
import { sample } from "../support/builders/sample-transactions.ts";

const bytes = (fill: number, size = 32) => new Uint8Array(size).fill(fill);
const asset = bytes(1) as AssetId;
const assetText = encodeBase58(asset);
const account = bytes(2, 26) as Address;
const accountText = encodeBase58(account);
const id = bytes(3);
const idText = encodeBase58(id);

const order: Order = {
  version: 2,
  id: id as OrderId,
  bodyBytes: bytes(0),
  bytes: bytes(0),
  chainId: 82,
  sender: bytes(11) as PublicKey,
  matcher: bytes(14) as PublicKey,
  amountAsset: asset,
  priceAsset: null,
  side: "buy",
  amount: 1n,
  price: 2n,
  timestamp: 3n,
  expiration: 4n,
  matcherFee: 5n,
  matcherFeeAsset: null,
  proofs: [Uint8Array.of(1)],
  eip712Signature: null,
  priceMode: null,
  attachment: null,
};
const orderText =
  `{"version":2,"id":"${idText}","sender":"${addressText(addressOfPublicKey(order.sender as PublicKey, 82))}",` +
  `"senderPublicKey":"${encodeBase58(order.sender)}","matcherPublicKey":"${encodeBase58(order.matcher)}",` +
  `"assetPair":{"amountAsset":"${assetText}","priceAsset":null},"orderType":"buy","amount":1,"price":2,"timestamp":3,` +
  `"expiration":4,"matcherFee":5,"signature":"2","proofs":["2"]}`;
const printedOrder =
  `(id=${idText}, sender=${encodeBase58(order.sender)}, matcher=${encodeBase58(order.matcher)}, ` +
  `pair=${assetText}-WAVES, type=buy, amount=1, price=2, priceMode=Default, ts=3, exp=4, fee=5,, eip712Signature=None, ` +
  "proofs=Proofs(2))";

function responseOf(response: RouteResponse): { status: number; text: string } {
  if (response.kind !== "error") throw new Error("not an error");
  return { status: response.status, text: jsonText(response.value) };
}

type DetailsWith<Fault extends { readonly code: string }, Code extends Fault["code"]> = Extract<Fault, { code: Code }>;
/** For each code an error, the status if it is not 400, and the response. */
type Rows<Fault extends { readonly code: string }> = {
  readonly [Code in Fault["code"]]: {
    readonly details: DetailsWith<Fault, Code>;
    readonly status?: number;
    readonly response: string;
  };
};
function casesOf<Fault extends { readonly code: string }>(rows: Rows<Fault>) {
  return Object.values(rows as Readonly<Record<string, { details: Fault; status?: number; response: string }>>).map(
    ({ details, status = 400, response }) => ({ code: details.code, details, status, response }),
  );
}

describe("faults of requests", () => {
  const rows: Rows<ApiErrorDetails> = {
    jsonUnreadable: {
      details: { code: "jsonUnreadable", cause: "why" },
      response: '{"error":1,"message":"failed to parse json message","cause":"why","validationErrors":{}}',
    },
    jsonNoObject: {
      details: { code: "jsonNoObject" },
      response:
        '{"error":1,"message":"failed to parse json message","cause":null,"validationErrors":{"obj":[{"msg":["error.expected.jsobject"],"args":[]}]}}',
    },
    jsonInvalid: {
      details: { code: "jsonInvalid", fields: { "obj.fee": [{ msg: ["error.path.missing"], args: [] }] } },
      response:
        '{"error":1,"message":"json data validation error, see validationErrors for details","cause":null,' +
        '"validationErrors":{"obj.fee":[{"msg":["error.path.missing"],"args":[]}]}}',
    },
    jsonMembersInvalid: {
      details: { code: "jsonMembersInvalid", fields: { "obj.fee": [{ msg: ["error.path.missing"], args: [] }] } },
      response:
        '{"error":1,"message":"failed to parse json message","cause":null,' +
        '"validationErrors":{"obj.fee":[{"msg":["error.path.missing"],"args":[]}]}}',
    },
    notFinalized: {
      details: { code: "notFinalized" },
      status: 404,
      response: '{"error":406,"message":"Not finalized"}',
    },
    conflictingQuestion: {
      details: { code: "conflictingQuestion" },
      response:
        '{"error":198,"message":"Conflicting request structure. Both expression and invocation structure were sent"}',
    },
    apiKeyNotValid: {
      details: { code: "apiKeyNotValid" },
      status: 403,
      response: '{"error":2,"message":"Provided API key is not correct"}',
    },
    tooBigSequence: {
      details: { code: "tooBigSequence", limit: 100 },
      response: '{"error":10,"message":"Too big sequence requested: max limit is 100 entries"}',
    },
    signatureInvalid: {
      details: { code: "signatureInvalid" },
      response: '{"error":101,"message":"invalid signature"}',
    },
    addressInvalid: { details: { code: "addressInvalid" }, response: '{"error":102,"message":"invalid address"}' },
    publicKeyInvalid: {
      details: { code: "publicKeyInvalid" },
      response: '{"error":108,"message":"invalid public key"}',
    },
    senderKeyMissing: {
      details: { code: "senderKeyMissing" },
      response: '{"error":115,"message":"no private key for sender address in wallet"}',
    },
    versionUnreadable: {
      details: { code: "versionUnreadable", complaint: "Can't parse version" },
      response:
        '{"error":1,"message":"failed to parse json message","cause":null,"validationErrors":{"obj":[{"msg":["Can\'t parse version"],"args":[]}]}}',
    },
    idsInvalid: {
      details: { code: "idsInvalid", ids: ["a", "b"] },
      response: '{"error":116,"message":"Request contains invalid IDs. a, b","ids":["a","b"]}',
    },
    compilationFailed: {
      details: { code: "compilationFailed", message: "Script should return boolean" },
      response: '{"error":305,"message":"Script should return boolean"}',
    },
    requestInvalid: {
      details: { code: "requestInvalid", message: "Invalid height: 0" },
      response: '{"error":199,"message":"Invalid height: 0"}',
    },
    blockUnknown: {
      details: { code: "blockUnknown" },
      status: 404,
      response: '{"error":301,"message":"block does not exist"}',
    },
    aliasUnknown: {
      details: { code: "aliasUnknown", alias: "alias:R:nobody" },
      status: 404,
      response: `{"error":302,"message":"alias 'alias:R:nobody' doesn't exist"}`,
    },
    dataKeyUnknown: {
      details: { code: "dataKeyUnknown" },
      status: 404,
      response: '{"error":304,"message":"no data for this key"}',
    },
    transactionUnknown: {
      details: { code: "transactionUnknown" },
      status: 404,
      response: '{"error":311,"message":"transactions does not exist"}',
    },
    assetUnknown: {
      details: { code: "assetUnknown", assetId: "a" },
      status: 404,
      response: '{"error":313,"message":"Asset does not exist: a"}',
    },
    assetsUnknown: {
      details: { code: "assetsUnknown", ids: ["a", "b"] },
      response: '{"error":314,"message":"Asset does not exist. a, b","ids":["a","b"]}',
    },
    transactionIdInvalid: {
      details: { code: "transactionIdInvalid", message: "Transaction ID was not specified" },
      response: '{"error":4001,"message":"Transaction ID was not specified"}',
    },
    blockIdInvalid: {
      details: { code: "blockIdInvalid", message: "abc has invalid length 3. Length can either be 32 or 64" },
      response: '{"error":4002,"message":"abc has invalid length 3. Length can either be 32 or 64"}',
    },
    assetIdInvalid: { details: { code: "assetIdInvalid" }, response: '{"error":4007,"message":"Invalid asset id"}' },
    dataKeyMissing: {
      details: { code: "dataKeyMissing" },
      response: '{"error":4008,"message":"Key was not specified"}',
    },
    assetIdMissing: {
      details: { code: "assetIdMissing" },
      response: '{"error":4009,"message":"Asset ID was not specified"}',
    },
    noTimelyAnswer: {
      details: { code: "noTimelyAnswer" },
      status: 503,
      response: '{"error":5031,"message":"The server was not able to produce a timely response to request"}',
    },
  };

  it.each(casesOf(rows))("$code: $status $response", ({ details, status, response }) => {
    expect(responseOf(apiErrorResponse(details))).toEqual({ status, text: response });
  });

  it("a read model that is being rewritten reports its progress", () => {
    expect(responseOf(apiErrorResponse({ code: "noTimelyAnswer", readModel: "3 of 19 tables" })).text).toBe(
      '{"error":5031,"message":"The server was not able to produce a timely response to request","readModel":"3 of 19 tables"}',
    );
  });

  it("a sequence that is too big names its limit only where the reference does", () => {
    expect(responseOf(apiErrorResponse({ code: "tooBigSequence", limit: undefined })).text).toBe(
      '{"error":10,"message":"Too big sequence requested"}',
    );
  });

  it("a bug of the node is told as such", () => {
    expect(responseOf(unknownErrorResponse)).toEqual({ status: 500, text: '{"error":0,"message":"Error is unknown"}' });
  });
});

describe("faults of form", () => {
  const rows: Rows<FormatViolation> = {
    jsonInvalid: {
      details: {
        code: "jsonInvalid",
        complaints: new Map([
          ["obj.fee", [{ message: "error.path.missing", args: [] }]],
          [
            "obj.proofs",
            [
              { message: "invalid.base58", args: ["requirement failed: Wrong char '0' in Base58 string '0'"] },
              { message: "expected.string", args: [] },
            ],
          ],
        ]),
      },
      response:
        '{"error":1,"message":"json data validation error, see validationErrors for details","cause":null,' +
        '"validationErrors":{"obj.fee":[{"msg":["error.path.missing"],"args":[]}],"obj.proofs":[{"msg":["invalid.base58"],' +
        `"args":["requirement failed: Wrong char '0' in Base58 string '0'"]},{"msg":["expected.string"],"args":[]}]}}`,
    },
    wrongChain: {
      details: { code: "wrongChain", expected: 82, got: 87 },
      response: '{"error":404,"message":"Wrong chain-id. Expected - 82, provided - 87"}',
    },
    nonPositiveAmount: {
      details: { code: "nonPositiveAmount", amount: 0n, of: asset },
      response: `{"error":115,"message":"non-positive amount: 0 of ${assetText}"}`,
    },
    negativeAmount: {
      details: { code: "negativeAmount", amount: -1n, of: "asset" },
      response: '{"error":111,"message":"negative amount: -1 of asset"}',
    },
    negativeMinFee: {
      details: { code: "negativeMinFee", minFee: -1n },
      response: '{"error":114,"message":"negative fee per: -1 per asset"}',
    },
    insufficientFee: {
      details: { code: "insufficientFee", fee: 0n },
      response: '{"error":112,"message":"insufficient fee"}',
    },
    invalidDecimals: {
      details: { code: "invalidDecimals", decimals: 9, maxDecimals: 8 },
      response: '{"error":117,"message":"invalid decimals value: 9, decimals should be in interval [0; 8]"}',
    },
    invalidAddress: {
      details: { code: "invalidAddress", reason: "Bad address checksum" },
      response: '{"error":102,"message":"invalid address"}',
    },
    invalidName: {
      details: { code: "invalidName", sizeBytes: 3, minBytes: 4, maxBytes: 16 },
      response: '{"error":111,"message":"invalid name"}',
    },
    tooBigArray: {
      details: { code: "tooBigArray", what: "description", size: 1001, max: 1000 },
      response: '{"error":10,"message":"Too big sequence requested"}',
    },
    attachmentTooBig: {
      details: { code: "attachmentTooBig", sizeBytes: 141, maxBytes: 140 },
      response: '{"error":107,"message":"Invalid attachment. Length 141 bytes exceeds maximum of 140 bytes."}',
    },
    amountsOverflow: { details: { code: "amountsOverflow" }, response: '{"error":113,"message":"overflow error"}' },
    transferToSelf: {
      details: { code: "transferToSelf" },
      response: '{"error":114,"message":"Transaction to yourself"}',
    },
    orderInvalid: {
      details: { code: "orderInvalid", order, reason: "timestamp should be > 0" },
      response: `{"error":403,"message":"Order validation error: timestamp should be > 0","order":${orderText}}`,
    },
    orderSignatureSizeWrong: {
      details: { code: "orderSignatureSizeWrong", sizeBytes: 2 },
      response: '{"error":199,"message":"Unexpected signature length: 2"}',
    },
    tooManyProofs: {
      details: { code: "tooManyProofs", count: 9, max: 8 },
      response: '{"error":405,"message":"Too many proofs (9), only 8 allowed"}',
    },
    proofTooBig: {
      details: { code: "proofTooBig", sizeBytes: 65, maxBytes: 64 },
      response: '{"error":405,"message":"Too large proof (65), must be max 64 bytes"}',
    },
    unsupportedType: {
      details: { code: "unsupportedType", type: TransactionType.Ethereum },
      status: 501,
      response: '{"error":312,"message":"transaction type not supported"}',
    },
    unknownType: {
      details: { code: "unknownType", type: 99, version: 1 },
      response: '{"error":199,"message":"Bad transaction type (99) and version (1)"}',
    },
    emptyDataKey: { details: { code: "emptyDataKey" }, response: '{"error":199,"message":"Empty key found"}' },
    duplicateDataKeys: {
      details: { code: "duplicateDataKeys" },
      response: '{"error":199,"message":"Duplicated keys found"}',
    },
    invalidAssetId: { details: { code: "invalidAssetId" }, response: '{"error":199,"message":"InvalidAssetId"}' },
    scriptUnreadable: {
      details: { code: "scriptUnreadable", reason: "Invalid checksum" },
      response: '{"error":199,"message":"ScriptParseError(Invalid checksum)"}',
    },
    malformed: {
      details: { code: "malformed", message: "invalid.senderPublicKey" },
      response: '{"error":199,"message":"invalid.senderPublicKey"}',
    },
  };

  it.each(casesOf(rows))("$code: $status $response", ({ details, status, response }) => {
    expect(responseOf(formatErrorResponse(details))).toEqual({ status, text: response });
  });
});

describe("refusals by the state or the pool", () => {
  const transaction = { type: TransactionType.Transfer };
  const trace = { trace: [] };
  const transfer: Transaction = sample(TransactionType.Transfer);

  /** Refused by the state: 112 with the transaction, after the members of the error. */
  const state = (reason: string, members = ""): string =>
    `{"error":112,"message":${jsonText(`State check failed. Reason: ${reason}`)},${members}"transaction":{"type":4},"trace":[]}`;
  const scripted = (id: number, message: string): string =>
    `{"error":${id},"message":${jsonText(message)},"transaction":{"type":4},"trace":[]}`;
  const custom = (message: string): string => `{"error":199,"message":${jsonText(message)},"trace":[]}`;
  const mistimed = (message: string): string => `{"error":303,"message":${jsonText(message)},"trace":[]}`;

  const rows: Rows<TransactionViolation> = {
    generic: { details: { code: "generic", message: "any text" }, response: state("any text") },
    callDataUnreadable: { details: { code: "callDataUnreadable", message: "any text" }, response: custom("any text") },
    amountsOverflow: { details: { code: "amountsOverflow" }, response: state("overflow error") },
    tooBig: {
      details: { code: "tooBig", what: "data", sizeBytes: 200_000, limit: 165_890 },
      response: state("Too big sequence requested"),
    },
    transactionOfOtherNetwork: {
      details: { code: "transactionOfOtherNetwork", expected: 82, got: 87 },
      response: state("Address belongs to another network: expected: 82(R), actual: 87(W)"),
    },
    timestampFromFuture: {
      details: { code: "timestampFromFuture", timestamp: 9n, limitMs: 5_400_000n, blockTimestamp: 3n },
      response: mistimed("Transaction timestamp 9 is more than 5400000ms in the future relative to block timestamp 3"),
    },
    timestampFromPast: {
      details: { code: "timestampFromPast", timestamp: 1n, limitMs: 7_200_000n, previousBlockTimestamp: 9n },
      response: mistimed(
        "Transaction timestamp 1 is more than 7200000ms in the past relative to previous block timestamp Some(9)",
      ),
    },
    versionNotSupported: {
      details: { code: "versionNotSupported", type: TransactionType.Transfer, version: 9 },
      response: state("Bad transaction type (4) and version (9)"),
    },
    featureNotActive: {
      details: { code: "featureNotActive", feature: Feature.Ride4DApps },
      response: state("ActivationError(RIDE 4 DAPPS feature has not been activated yet)"),
    },
    alreadyInState: {
      details: { code: "alreadyInState", transactionId: id as TransactionId, height: 7 },
      response: state(`Transaction ${idText} is already in the state on a height of 7`),
    },
    feeTooLow: {
      details: {
        code: "feeTooLow",
        type: TransactionType.Transfer,
        fee: 1n,
        feeAsset: asset,
        required: 50n,
        requiredWavelets: 100_000n,
        scriptedAssets: 0,
        scriptedSender: false,
      },
      response: state(
        `Fee for TransferTransaction (1 in ${assetText}) does not exceed minimal value of 100000 WAVES or 50 ${assetText}.`,
      ),
    },
    feeMissing: { details: { code: "feeMissing", fee: 0n }, response: state("Fee must be positive.") },
    feeAssetUnknown: {
      details: { code: "feeAssetUnknown", asset },
      response: state(`Asset ${assetText} does not exist, cannot be used to pay fees`),
    },
    feeAssetNotSponsored: {
      details: { code: "feeAssetNotSponsored", asset },
      response: state(`Asset ${assetText} is not sponsored, cannot be used to pay fees`),
    },
    feeAssetNotWaves: {
      details: { code: "feeAssetNotWaves", asset },
      response: state(
        `Invalid fee asset: ${assetText}, only Waves can be used to pay fees for UpdateAssetInfoTransaction`,
      ),
    },
    feeAssetScripted: {
      details: { code: "feeAssetScripted", asset },
      response: state("Smart assets can't participate in TransferTransactions as a fee"),
    },
    feeConversionOverflow: {
      details: { code: "feeConversionOverflow" },
      response: custom("BigInteger out of long range"),
    },
    fundsMissing: {
      details: { code: "fundsMissing", asset: null, balance: 5n, change: -7n },
      response: state(
        "Attempt to transfer unavailable funds: Transaction application leads to negative waves balance to (at least) " +
          "temporary negative state, current balance equals 5, spends equals -7, result is -2",
      ),
    },
    paymentFundsMissing: {
      details: { code: "paymentFundsMissing", balance: 5n, required: 7n },
      response: state("Attempt to pay unavailable funds: balance 5 is less than 7"),
    },
    balancesInvalid: {
      details: {
        code: "balancesInvalid",
        problems: [
          { kind: "negativeWaves", account, before: 5n, after: -2n },
          { kind: "leasedMoneySpent", account: bytes(4, 26) as Address },
        ],
      },
      response: state(
        "Accounts balance errors",
        `"details":{"${accountText}":"negative waves balance: ${accountText}, old: 5, new: -2",` +
          `"${encodeBase58(bytes(4, 26))}":"${encodeBase58(bytes(4, 26))} trying to spend leased money"},`,
      ),
    },
    sumOverflow: {
      details: { code: "sumOverflow", quantity: "Waves balance", account, stage: "balance" },
      response: state(`${accountText} -> Waves balance sum overflow`),
    },
    proofCountWrong: {
      details: { code: "proofCountWrong", count: 2, expected: 1 },
      response: state("Transactions from non-scripted accounts must have exactly 1 proof"),
    },
    proofInvalid: {
      details: { code: "proofInvalid", transaction: transfer },
      response: state(`Proof doesn't validate as signature for ${jsonText(transactionJson(transfer))}`),
    },
    orderProofInvalid: {
      details: { code: "orderProofInvalid", order },
      response: state(`Proof doesn't validate as signature for OrderV2${printedOrder}`),
    },
    scriptFailed: {
      details: { code: "scriptFailed", of: "account", message: "boom" },
      response: scripted(306, "Error while executing account-script: boom"),
    },
    scriptRefused: {
      details: { code: "scriptRefused", of: "asset" },
      response: scripted(308, "Transaction is not allowed by token-script"),
    },
    callRejected: {
      details: { code: "callRejected", message: "boom" },
      response: scripted(306, "Error while executing dApp: boom"),
    },
    callBreaksRule: {
      details: { code: "callBreaksRule", message: "too many" },
      response: state("FailOrRejectError(too many,true)"),
    },
    callAddressInvalid: {
      details: { code: "callAddressInvalid", reason: "Bad address checksum" },
      response: state("invalid address"),
    },
    callsExceeded: {
      details: { code: "callsExceeded", limit: 100 },
      response: state("ScriptRunsLimitError(DApp calls limit = 100 is exceeded)"),
    },
    paymentNotPositive: {
      details: { code: "paymentNotPositive", amount: 0n, asset: null },
      response: state("non-positive amount: 0 of Waves"),
    },
    signatureOfScriptedAccount: {
      details: { code: "signatureOfScriptedAccount", what: "order" },
      response: state("Can't process order with signature from scripted account"),
    },
    aliasUnknown: {
      details: { code: "aliasUnknown", alias: { chainId: 82, name: "nobody" } },
      response: state("alias 'alias:R:nobody' doesn't exist"),
    },
    aliasDisabled: {
      details: { code: "aliasDisabled", alias: { chainId: 87, name: "taken" } },
      response: state("AliasIsDisabled(alias:W:taken)"),
    },
    aliasTaken: {
      details: { code: "aliasTaken", alias: { chainId: 82, name: "taken" }, owner: account },
      response: state("Alias already claimed"),
    },
    aliasProofsWrong: { details: { code: "aliasProofsWrong", count: 2 }, response: state("Invalid proofs size") },
    assetUnknown: { details: { code: "assetUnknown", asset }, response: state("Referenced assetId not found") },
    assetOfOtherIssuer: {
      details: { code: "assetOfOtherIssuer", asset, issuer: bytes(9) },
      response: state("Asset was issued by other address"),
    },
    assetNotReissuable: { details: { code: "assetNotReissuable", asset }, response: state("Asset is not reissuable") },
    assetVolumeOverflow: {
      details: { code: "assetVolumeOverflow", asset, volume: 1n, quantity: 2n, limit: 2n },
      response: state("Asset total value overflow"),
    },
    assetAlreadyIssued: {
      details: { code: "assetAlreadyIssued", asset },
      response: state(`Asset ${assetText} is already issued`),
    },
    assetTextNotUtf8: {
      details: { code: "assetTextNotUtf8", field: "name" },
      response: state("Valid UTF-8 strings required"),
    },
    sponsorshipOfScriptedAsset: {
      details: { code: "sponsorshipOfScriptedAsset", asset },
      response: state("Sponsorship smart assets is disabled."),
    },
    assetWithoutScript: {
      details: { code: "assetWithoutScript", asset },
      response: state("Cannot set script on an asset issued without a script"),
    },
    assetInfoUpdateTooEarly: {
      details: { code: "assetInfoUpdateTooEarly", asset, height: 5, allowedHeight: 9, intervalBlocks: 4 },
      response: state(
        `Can't update info of asset with id=${assetText} before 9 block, current height=5, minUpdateInfoInterval=4`,
      ),
    },
    assetNotIssued: {
      details: { code: "assetNotIssued", asset, allowedUntil: 8n },
      response: state("Unissued assets are not allowed after allowUnissuedAssetsUntil=8"),
    },
    transferAssetUnknown: {
      details: { code: "transferAssetUnknown", asset },
      response: state(`Transfer error: asset '${assetText}' is not found on the blockchain`),
    },
    massTransferAssetUnknown: {
      details: { code: "massTransferAssetUnknown", asset },
      response: state("Attempt to transfer a nonexistent asset"),
    },
    paymentAssetUnknown: {
      details: { code: "paymentAssetUnknown", asset },
      response: state(`Referenced ${assetText} not found`),
    },
    erc20AssetUnknown: {
      details: { code: "erc20AssetUnknown", address: bytes(5, 20) },
      response: state(`Can't resolve ERC20 address ${encodeBase58(bytes(5, 20))}`),
    },
    ethereumKeyInvalid: { details: { code: "ethereumKeyInvalid" }, response: state("Invalid public key") },
    ethereumTransferDataSizeWrong: {
      details: { code: "ethereumTransferDataSizeWrong", sizeBytes: 69, expected: 68 },
      response: state("Invalid asset data size for Ethereum Transfer"),
    },
    paymentNotAllowed: {
      details: { code: "paymentNotAllowed", height: 9, lastHeight: 8 },
      response: state("Payment transaction is deprecated after h=8"),
    },
    genesisNotFirst: {
      details: { code: "genesisNotFirst", height: 2 },
      response: state("GenesisTransaction cannot appear in non-initial block (2)"),
    },
    leaseToSelf: { details: { code: "leaseToSelf" }, response: state("Cannot lease to self") },
    leaseExists: {
      details: { code: "leaseExists", leaseId: id as Uint8Array as LeaseId },
      response: state(`Lease with id=${idText} is already in the state`),
    },
    leaseExceedsBalance: {
      details: { code: "leaseExceedsBalance", balance: 7n, leased: 3n, required: 5n },
      response: state("Cannot lease more than own: Balance: 7, already leased: 3"),
    },
    leaseUnknown: {
      details: { code: "leaseUnknown", leaseId: id as Uint8Array as LeaseId },
      response: state(`Lease with id=${idText} not found`),
    },
    leaseNotActive: {
      details: { code: "leaseNotActive", leaseId: id as Uint8Array as LeaseId },
      response: state("Cannot cancel already cancelled lease"),
    },
    leaseOfOtherSender: {
      details: {
        code: "leaseOfOtherSender",
        leaseId: id as Uint8Array as LeaseId,
        blockTimestamp: 9n,
        allowedUntil: 8n,
      },
      response: state(
        "LeaseTransaction was leased by other sender and time=9 > allowMultipleLeaseCancelTransactionUntilTimestamp=8",
      ),
    },
    generationPeriodWrong: {
      details: { code: "generationPeriodWrong", expected: 12, got: 4 },
      response: state("Expected the next period start height 12, got 4"),
    },
    endorserKeyInvalid: {
      details: { code: "endorserKeyInvalid", endorserPublicKey: id },
      response: state("Invalid endorser public key: Wrong BLS public key: not in a group"),
    },
    commitmentSignatureInvalid: {
      details: { code: "commitmentSignatureInvalid" },
      response: state("Invalid commitment signature: Wrong BLS signature"),
    },
    generatorAlreadyCommitted: {
      details: { code: "generatorAlreadyCommitted", account },
      response: state(`${accountText} is already committed`),
    },
    endorserKeyCommitted: {
      details: { code: "endorserKeyCommitted", endorserPublicKey: id },
      response: state(`BLS key ${encodeBase58(id)} is already committed, try another key`),
    },
    generatingBalanceMissing: {
      details: { code: "generatingBalanceMissing", balance: 99n, required: 100n },
      response: state("Generating balance 99 is less than 100 required for block generation"),
    },
    orderOverfilled: {
      details: { code: "orderOverfilled", order, filled: 4n, amount: 1n },
      response: state(
        "Order validation error: Too much buy. Already filled volume for the order: 4",
        `"order":${orderText},`,
      ),
    },
    orderFeeExceeded: {
      details: { code: "orderFeeExceeded", order, fee: 6n, limit: 5n },
      response: state("Order validation error: Insufficient buy fee", `"order":${orderText},`),
    },
    exchangePriceOutOfOrder: {
      details: {
        code: "exchangePriceOutOfOrder",
        side: "buy",
        price: 100_000_000n,
        orderPrice: 50_000_000n,
        convertedOrderPrice: 50_000_000n,
      },
      response: state("exchange.price = 100_000_000 should be <= buyOrder.price = 50_000_000"),
    },
    matcherFeeNegative: {
      details: { code: "matcherFeeNegative", buyMatcherFee: -1n, sellMatcherFee: 1n },
      response: state("Matcher fee can not be negative"),
    },
    matcherFeeAssetUnknown: {
      details: { code: "matcherFeeAssetUnknown", asset },
      response: state(`Asset ${assetText} should be issued before it can be traded`),
    },
    exchangeAssetUnknown: {
      details: { code: "exchangeAssetUnknown", asset },
      response: state("Assets should be issued before they can be traded"),
    },
    exchangeAmountOverflow: {
      details: { code: "exchangeAmountOverflow" },
      response: state("BigInteger out of long range"),
    },
    orderPriceModeNotActive: {
      details: { code: "orderPriceModeNotActive", order },
      response: state("Legacy price mode is only available after RideV6 activation"),
    },
    orderAttachmentNotActive: {
      details: { code: "orderAttachmentNotActive", order },
      response: state("Attachment field for orders is not supported yet"),
    },
    orderKeyInvalid: {
      details: { code: "orderKeyInvalid", order },
      response: state("Invalid public key for Ethereum orders"),
    },
    orderSignatureFormatInvalid: {
      details: { code: "orderSignatureFormatInvalid", order },
      response: state("Invalid order signature format"),
    },
    scriptedAssetTradingNotActive: {
      details: { code: "scriptedAssetTradingNotActive", asset },
      response: state("Smart assets can't participate in ExchangeTransactions (SmartAssetsFeature is disabled)"),
    },
    scriptedAccountTradingNotActive: {
      details: { code: "scriptedAccountTradingNotActive", side: "sell", account },
      response: state(
        `Seller ${accountText} can't participate in ExchangeTransaction because it has assigned Script ` +
          "(SmartAccountsTrades is disabled)",
      ),
    },
    poolFull: {
      details: { code: "poolFull", of: "transactions", limit: 100_000 },
      response: custom("Transaction pool size limit is reached"),
    },
    poolTakesNoScripted: {
      details: { code: "poolTakesNoScripted" },
      response: custom("transactions from scripted accounts are denied from UTX pool"),
    },
    tooFewPeers: {
      details: { code: "tooFewPeers", connected: 0, minimum: 1 },
      response: custom("There are not enough connections with peers (0) to accept transaction"),
    },
    poolTakesNoneOfSender: {
      details: { code: "poolTakesNoneOfSender", sender: account },
      response: custom(`SenderIsBlacklisted(${accountText})`),
    },
    scriptNotSupported: {
      details: { code: "scriptNotSupported", reason: "invoke (1020) is not supported" },
      response: state("Internal error: this node cannot run the script: invoke (1020) is not supported"),
    },
  };

  it.each(casesOf(rows))("$code: $status $response", ({ details, status, response }) => {
    expect(responseOf(refusalResponse(details, transaction, trace))).toEqual({ status, text: response });
  });

  it("without trace=true nothing follows the transaction", () => {
    expect(responseOf(refusalResponse({ code: "leaseToSelf" }, transaction, {})).text).toBe(
      '{"error":112,"message":"State check failed. Reason: Cannot lease to self","transaction":{"type":4}}',
    );
  });

  it("a fee that scripts add to says so", () => {
    const details: TransactionViolation = {
      code: "feeTooLow",
      type: TransactionType.Exchange,
      fee: 1n,
      feeAsset: null,
      required: 1_100_000n,
      requiredWavelets: 1_100_000n,
      scriptedAssets: 1,
      scriptedSender: true,
    };
    expect(responseOf(refusalResponse(details, transaction, trace)).text).toBe(
      state(
        "Transaction sent from smart account. Requires 400000 extra fee. Transaction involves 1 scripted assets. " +
          "Requires 400000 extra fee. Fee for ExchangeTransaction (1 in WAVES) does not exceed minimal value of 1100000 WAVES.",
      ),
    );
  });

  it.each([
    ["bytes", "Transaction pool bytes size limit is reached"],
    ["scriptedTransactions", "Transaction pool scripted txs size limit is reached"],
  ] as const)("the pool's limit of %s is told as: %s", (of, text) => {
    expect(responseOf(refusalResponse({ code: "poolFull", of, limit: 1 }, transaction, trace)).text).toBe(custom(text));
  });
});

/**
 * Every error code with its response, byte by byte as in the reference. A code without an entry does not compile.
 * @source docs/protocol/rest-api.md 1.5, 4; Waves: api/http/ApiError.scala
 */

import { describe, expect, it } from "vitest";
import { addressOfPublicKey, addressText } from "../../src/crypto/address.ts";
import { encodeBase58 } from "../../src/crypto/base58.ts";
import type { Address, PublicKey } from "../../src/crypto/identities.ts";
import type { ApiFault } from "../../src/http/api-error.ts";
import { apiErrorReply, formatErrorReply, refusalReply, unknownErrorReply } from "../../src/http/errors.ts";
import type { Reply } from "../../src/http/route-response.ts";
import { Feature } from "../../src/network/features.ts";
import { jsonText } from "../../src/protocol/json.ts";
import type { AssetId } from "../../src/protocol/transactions/asset.ts";
import type { FormatFault } from "../../src/protocol/transactions/format-error.ts";
import type { Order, OrderId } from "../../src/protocol/transactions/order.ts";
import type { LeaseId, Transaction, TransactionId } from "../../src/protocol/transactions/transaction.ts";
import { transactionJson } from "../../src/protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../src/protocol/transactions/transaction-type.ts";
import type { TransactionFault } from "../../src/protocol/transactions/transaction-violation.ts";
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
const shownOrder =
  `(id=${idText}, sender=${encodeBase58(order.sender)}, matcher=${encodeBase58(order.matcher)}, ` +
  `pair=${assetText}-WAVES, type=buy, amount=1, price=2, priceMode=Default, ts=3, exp=4, fee=5,, eip712Signature=None, ` +
  "proofs=Proofs(2))";

function answerOf(reply: Reply): { status: number; text: string } {
  if (reply.kind !== "error") throw new Error("not an error");
  return { status: reply.status, text: jsonText(reply.value) };
}

type FaultWith<Fault extends { readonly code: string }, Code extends Fault["code"]> = Extract<Fault, { code: Code }>;
/** For each code an error, the status if it is not 400, and the response. */
type Rows<Fault extends { readonly code: string }> = {
  readonly [Code in Fault["code"]]: {
    readonly fault: FaultWith<Fault, Code>;
    readonly status?: number;
    readonly answer: string;
  };
};
function casesOf<Fault extends { readonly code: string }>(rows: Rows<Fault>) {
  return Object.values(rows as Readonly<Record<string, { fault: Fault; status?: number; answer: string }>>).map(
    ({ fault, status = 400, answer }) => ({ code: fault.code, fault, status, answer }),
  );
}

describe("faults of requests", () => {
  const rows: Rows<ApiFault> = {
    jsonUnreadable: {
      fault: { code: "jsonUnreadable", cause: "why" },
      answer: '{"error":1,"message":"failed to parse json message","cause":"why","validationErrors":{}}',
    },
    jsonNoObject: {
      fault: { code: "jsonNoObject" },
      answer:
        '{"error":1,"message":"failed to parse json message","cause":null,"validationErrors":{"obj":[{"msg":["error.expected.jsobject"],"args":[]}]}}',
    },
    jsonInvalid: {
      fault: { code: "jsonInvalid", fields: { "obj.fee": [{ msg: ["error.path.missing"], args: [] }] } },
      answer:
        '{"error":1,"message":"json data validation error, see validationErrors for details","cause":null,' +
        '"validationErrors":{"obj.fee":[{"msg":["error.path.missing"],"args":[]}]}}',
    },
    jsonMembersInvalid: {
      fault: { code: "jsonMembersInvalid", fields: { "obj.fee": [{ msg: ["error.path.missing"], args: [] }] } },
      answer:
        '{"error":1,"message":"failed to parse json message","cause":null,' +
        '"validationErrors":{"obj.fee":[{"msg":["error.path.missing"],"args":[]}]}}',
    },
    notFinalized: {
      fault: { code: "notFinalized" },
      status: 404,
      answer: '{"error":406,"message":"Not finalized"}',
    },
    conflictingQuestion: {
      fault: { code: "conflictingQuestion" },
      answer:
        '{"error":198,"message":"Conflicting request structure. Both expression and invocation structure were sent"}',
    },
    apiKeyNotValid: {
      fault: { code: "apiKeyNotValid" },
      status: 403,
      answer: '{"error":2,"message":"Provided API key is not correct"}',
    },
    tooBigSequence: {
      fault: { code: "tooBigSequence", limit: 100 },
      answer: '{"error":10,"message":"Too big sequence requested: max limit is 100 entries"}',
    },
    signatureInvalid: { fault: { code: "signatureInvalid" }, answer: '{"error":101,"message":"invalid signature"}' },
    addressInvalid: { fault: { code: "addressInvalid" }, answer: '{"error":102,"message":"invalid address"}' },
    publicKeyInvalid: { fault: { code: "publicKeyInvalid" }, answer: '{"error":108,"message":"invalid public key"}' },
    senderKeyMissing: {
      fault: { code: "senderKeyMissing" },
      answer: '{"error":115,"message":"no private key for sender address in wallet"}',
    },
    versionUnreadable: {
      fault: { code: "versionUnreadable", complaint: "Can't parse version" },
      answer:
        '{"error":1,"message":"failed to parse json message","cause":null,"validationErrors":{"obj":[{"msg":["Can\'t parse version"],"args":[]}]}}',
    },
    idsInvalid: {
      fault: { code: "idsInvalid", ids: ["a", "b"] },
      answer: '{"error":116,"message":"Request contains invalid IDs. a, b","ids":["a","b"]}',
    },
    compilationFailed: {
      fault: { code: "compilationFailed", message: "Script should return boolean" },
      answer: '{"error":305,"message":"Script should return boolean"}',
    },
    requestInvalid: {
      fault: { code: "requestInvalid", message: "Invalid height: 0" },
      answer: '{"error":199,"message":"Invalid height: 0"}',
    },
    blockUnknown: {
      fault: { code: "blockUnknown" },
      status: 404,
      answer: '{"error":301,"message":"block does not exist"}',
    },
    aliasUnknown: {
      fault: { code: "aliasUnknown", alias: "alias:R:nobody" },
      status: 404,
      answer: `{"error":302,"message":"alias 'alias:R:nobody' doesn't exist"}`,
    },
    dataKeyUnknown: {
      fault: { code: "dataKeyUnknown" },
      status: 404,
      answer: '{"error":304,"message":"no data for this key"}',
    },
    transactionUnknown: {
      fault: { code: "transactionUnknown" },
      status: 404,
      answer: '{"error":311,"message":"transactions does not exist"}',
    },
    assetUnknown: {
      fault: { code: "assetUnknown", assetId: "a" },
      status: 404,
      answer: '{"error":313,"message":"Asset does not exist: a"}',
    },
    assetsUnknown: {
      fault: { code: "assetsUnknown", ids: ["a", "b"] },
      answer: '{"error":314,"message":"Asset does not exist. a, b","ids":["a","b"]}',
    },
    transactionIdInvalid: {
      fault: { code: "transactionIdInvalid", message: "Transaction ID was not specified" },
      answer: '{"error":4001,"message":"Transaction ID was not specified"}',
    },
    blockIdInvalid: {
      fault: { code: "blockIdInvalid", message: "abc has invalid length 3. Length can either be 32 or 64" },
      answer: '{"error":4002,"message":"abc has invalid length 3. Length can either be 32 or 64"}',
    },
    assetIdInvalid: { fault: { code: "assetIdInvalid" }, answer: '{"error":4007,"message":"Invalid asset id"}' },
    dataKeyMissing: {
      fault: { code: "dataKeyMissing" },
      answer: '{"error":4008,"message":"Key was not specified"}',
    },
    assetIdMissing: {
      fault: { code: "assetIdMissing" },
      answer: '{"error":4009,"message":"Asset ID was not specified"}',
    },
    noTimelyAnswer: {
      fault: { code: "noTimelyAnswer" },
      status: 503,
      answer: '{"error":5031,"message":"The server was not able to produce a timely response to request"}',
    },
  };

  it.each(casesOf(rows))("$code: $status $answer", ({ fault, status, answer }) => {
    expect(answerOf(apiErrorReply(fault))).toEqual({ status, text: answer });
  });

  it("a read model that is being rewritten reports its progress", () => {
    expect(answerOf(apiErrorReply({ code: "noTimelyAnswer", readModel: "3 of 19 tables" })).text).toBe(
      '{"error":5031,"message":"The server was not able to produce a timely response to request","readModel":"3 of 19 tables"}',
    );
  });

  it("a sequence that is too big names its limit only where the reference does", () => {
    expect(answerOf(apiErrorReply({ code: "tooBigSequence", limit: undefined })).text).toBe(
      '{"error":10,"message":"Too big sequence requested"}',
    );
  });

  it("a bug of the node is told as such", () => {
    expect(answerOf(unknownErrorReply)).toEqual({ status: 500, text: '{"error":0,"message":"Error is unknown"}' });
  });
});

describe("faults of form", () => {
  const rows: Rows<FormatFault> = {
    jsonInvalid: {
      fault: {
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
      answer:
        '{"error":1,"message":"json data validation error, see validationErrors for details","cause":null,' +
        '"validationErrors":{"obj.fee":[{"msg":["error.path.missing"],"args":[]}],"obj.proofs":[{"msg":["invalid.base58"],' +
        `"args":["requirement failed: Wrong char '0' in Base58 string '0'"]},{"msg":["expected.string"],"args":[]}]}}`,
    },
    wrongChain: {
      fault: { code: "wrongChain", expected: 82, got: 87 },
      answer: '{"error":404,"message":"Wrong chain-id. Expected - 82, provided - 87"}',
    },
    nonPositiveAmount: {
      fault: { code: "nonPositiveAmount", amount: 0n, of: asset },
      answer: `{"error":115,"message":"non-positive amount: 0 of ${assetText}"}`,
    },
    negativeAmount: {
      fault: { code: "negativeAmount", amount: -1n, of: "asset" },
      answer: '{"error":111,"message":"negative amount: -1 of asset"}',
    },
    negativeMinFee: {
      fault: { code: "negativeMinFee", minFee: -1n },
      answer: '{"error":114,"message":"negative fee per: -1 per asset"}',
    },
    insufficientFee: {
      fault: { code: "insufficientFee", fee: 0n },
      answer: '{"error":112,"message":"insufficient fee"}',
    },
    invalidDecimals: {
      fault: { code: "invalidDecimals", decimals: 9, maxDecimals: 8 },
      answer: '{"error":117,"message":"invalid decimals value: 9, decimals should be in interval [0; 8]"}',
    },
    invalidAddress: {
      fault: { code: "invalidAddress", reason: "Bad address checksum" },
      answer: '{"error":102,"message":"invalid address"}',
    },
    invalidName: {
      fault: { code: "invalidName", sizeBytes: 3, minBytes: 4, maxBytes: 16 },
      answer: '{"error":111,"message":"invalid name"}',
    },
    tooBigArray: {
      fault: { code: "tooBigArray", what: "description", size: 1001, max: 1000 },
      answer: '{"error":10,"message":"Too big sequence requested"}',
    },
    attachmentTooBig: {
      fault: { code: "attachmentTooBig", sizeBytes: 141, maxBytes: 140 },
      answer: '{"error":107,"message":"Invalid attachment. Length 141 bytes exceeds maximum of 140 bytes."}',
    },
    amountsOverflow: { fault: { code: "amountsOverflow" }, answer: '{"error":113,"message":"overflow error"}' },
    transferToSelf: { fault: { code: "transferToSelf" }, answer: '{"error":114,"message":"Transaction to yourself"}' },
    orderInvalid: {
      fault: { code: "orderInvalid", order, reason: "timestamp should be > 0" },
      answer: `{"error":403,"message":"Order validation error: timestamp should be > 0","order":${orderText}}`,
    },
    orderSignatureSizeWrong: {
      fault: { code: "orderSignatureSizeWrong", sizeBytes: 2 },
      answer: '{"error":199,"message":"Unexpected signature length: 2"}',
    },
    tooManyProofs: {
      fault: { code: "tooManyProofs", count: 9, max: 8 },
      answer: '{"error":405,"message":"Too many proofs (9), only 8 allowed"}',
    },
    proofTooBig: {
      fault: { code: "proofTooBig", sizeBytes: 65, maxBytes: 64 },
      answer: '{"error":405,"message":"Too large proof (65), must be max 64 bytes"}',
    },
    unsupportedType: {
      fault: { code: "unsupportedType", type: TransactionType.Ethereum },
      status: 501,
      answer: '{"error":312,"message":"transaction type not supported"}',
    },
    unknownType: {
      fault: { code: "unknownType", type: 99, version: 1 },
      answer: '{"error":199,"message":"Bad transaction type (99) and version (1)"}',
    },
    emptyDataKey: { fault: { code: "emptyDataKey" }, answer: '{"error":199,"message":"Empty key found"}' },
    duplicateDataKeys: {
      fault: { code: "duplicateDataKeys" },
      answer: '{"error":199,"message":"Duplicated keys found"}',
    },
    invalidAssetId: { fault: { code: "invalidAssetId" }, answer: '{"error":199,"message":"InvalidAssetId"}' },
    scriptUnreadable: {
      fault: { code: "scriptUnreadable", reason: "Invalid checksum" },
      answer: '{"error":199,"message":"ScriptParseError(Invalid checksum)"}',
    },
    malformed: {
      fault: { code: "malformed", message: "invalid.senderPublicKey" },
      answer: '{"error":199,"message":"invalid.senderPublicKey"}',
    },
  };

  it.each(casesOf(rows))("$code: $status $answer", ({ fault, status, answer }) => {
    expect(answerOf(formatErrorReply(fault))).toEqual({ status, text: answer });
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

  const rows: Rows<TransactionFault> = {
    generic: { fault: { code: "generic", message: "any text" }, answer: state("any text") },
    callDataUnreadable: { fault: { code: "callDataUnreadable", message: "any text" }, answer: custom("any text") },
    amountsOverflow: { fault: { code: "amountsOverflow" }, answer: state("overflow error") },
    tooBig: {
      fault: { code: "tooBig", what: "data", sizeBytes: 200_000, limit: 165_890 },
      answer: state("Too big sequence requested"),
    },
    transactionOfOtherNetwork: {
      fault: { code: "transactionOfOtherNetwork", expected: 82, got: 87 },
      answer: state("Address belongs to another network: expected: 82(R), actual: 87(W)"),
    },
    timestampFromFuture: {
      fault: { code: "timestampFromFuture", timestamp: 9n, limitMs: 5_400_000n, blockTimestamp: 3n },
      answer: mistimed("Transaction timestamp 9 is more than 5400000ms in the future relative to block timestamp 3"),
    },
    timestampFromPast: {
      fault: { code: "timestampFromPast", timestamp: 1n, limitMs: 7_200_000n, previousBlockTimestamp: 9n },
      answer: mistimed(
        "Transaction timestamp 1 is more than 7200000ms in the past relative to previous block timestamp Some(9)",
      ),
    },
    versionNotSupported: {
      fault: { code: "versionNotSupported", type: TransactionType.Transfer, version: 9 },
      answer: state("Bad transaction type (4) and version (9)"),
    },
    featureNotActive: {
      fault: { code: "featureNotActive", feature: Feature.Ride4DApps },
      answer: state("ActivationError(RIDE 4 DAPPS feature has not been activated yet)"),
    },
    alreadyInState: {
      fault: { code: "alreadyInState", transactionId: id as TransactionId, height: 7 },
      answer: state(`Transaction ${idText} is already in the state on a height of 7`),
    },
    feeTooLow: {
      fault: {
        code: "feeTooLow",
        type: TransactionType.Transfer,
        fee: 1n,
        feeAsset: asset,
        required: 50n,
        requiredWavelets: 100_000n,
        scriptedAssets: 0,
        scriptedSender: false,
      },
      answer: state(
        `Fee for TransferTransaction (1 in ${assetText}) does not exceed minimal value of 100000 WAVES or 50 ${assetText}.`,
      ),
    },
    feeMissing: { fault: { code: "feeMissing", fee: 0n }, answer: state("Fee must be positive.") },
    feeAssetUnknown: {
      fault: { code: "feeAssetUnknown", asset },
      answer: state(`Asset ${assetText} does not exist, cannot be used to pay fees`),
    },
    feeAssetNotSponsored: {
      fault: { code: "feeAssetNotSponsored", asset },
      answer: state(`Asset ${assetText} is not sponsored, cannot be used to pay fees`),
    },
    feeAssetNotWaves: {
      fault: { code: "feeAssetNotWaves", asset },
      answer: state(
        `Invalid fee asset: ${assetText}, only Waves can be used to pay fees for UpdateAssetInfoTransaction`,
      ),
    },
    feeAssetScripted: {
      fault: { code: "feeAssetScripted", asset },
      answer: state("Smart assets can't participate in TransferTransactions as a fee"),
    },
    feeConversionOverflow: {
      fault: { code: "feeConversionOverflow" },
      answer: custom("BigInteger out of long range"),
    },
    fundsMissing: {
      fault: { code: "fundsMissing", asset: null, balance: 5n, change: -7n },
      answer: state(
        "Attempt to transfer unavailable funds: Transaction application leads to negative waves balance to (at least) " +
          "temporary negative state, current balance equals 5, spends equals -7, result is -2",
      ),
    },
    paymentFundsMissing: {
      fault: { code: "paymentFundsMissing", balance: 5n, required: 7n },
      answer: state("Attempt to pay unavailable funds: balance 5 is less than 7"),
    },
    balancesInvalid: {
      fault: {
        code: "balancesInvalid",
        problems: [
          { kind: "negativeWaves", account, before: 5n, after: -2n },
          { kind: "leasedMoneySpent", account: bytes(4, 26) as Address },
        ],
      },
      answer: state(
        "Accounts balance errors",
        `"details":{"${accountText}":"negative waves balance: ${accountText}, old: 5, new: -2",` +
          `"${encodeBase58(bytes(4, 26))}":"${encodeBase58(bytes(4, 26))} trying to spend leased money"},`,
      ),
    },
    sumOverflow: {
      fault: { code: "sumOverflow", quantity: "Waves balance", account, stage: "balance" },
      answer: state(`${accountText} -> Waves balance sum overflow`),
    },
    proofCountWrong: {
      fault: { code: "proofCountWrong", count: 2, expected: 1 },
      answer: state("Transactions from non-scripted accounts must have exactly 1 proof"),
    },
    proofInvalid: {
      fault: { code: "proofInvalid", transaction: transfer },
      answer: state(`Proof doesn't validate as signature for ${jsonText(transactionJson(transfer))}`),
    },
    orderProofInvalid: {
      fault: { code: "orderProofInvalid", order },
      answer: state(`Proof doesn't validate as signature for OrderV2${shownOrder}`),
    },
    scriptFailed: {
      fault: { code: "scriptFailed", of: "account", message: "boom" },
      answer: scripted(306, "Error while executing account-script: boom"),
    },
    scriptRefused: {
      fault: { code: "scriptRefused", of: "asset" },
      answer: scripted(308, "Transaction is not allowed by token-script"),
    },
    callRejected: {
      fault: { code: "callRejected", message: "boom" },
      answer: scripted(306, "Error while executing dApp: boom"),
    },
    callBreaksRule: {
      fault: { code: "callBreaksRule", message: "too many" },
      answer: state("FailOrRejectError(too many,true)"),
    },
    callAddressInvalid: {
      fault: { code: "callAddressInvalid", reason: "Bad address checksum" },
      answer: state("invalid address"),
    },
    callsExceeded: {
      fault: { code: "callsExceeded", limit: 100 },
      answer: state("ScriptRunsLimitError(DApp calls limit = 100 is exceeded)"),
    },
    paymentNotPositive: {
      fault: { code: "paymentNotPositive", amount: 0n, asset: null },
      answer: state("non-positive amount: 0 of Waves"),
    },
    signatureOfScriptedAccount: {
      fault: { code: "signatureOfScriptedAccount", what: "order" },
      answer: state("Can't process order with signature from scripted account"),
    },
    aliasUnknown: {
      fault: { code: "aliasUnknown", alias: { chainId: 82, name: "nobody" } },
      answer: state("alias 'alias:R:nobody' doesn't exist"),
    },
    aliasDisabled: {
      fault: { code: "aliasDisabled", alias: { chainId: 87, name: "taken" } },
      answer: state("AliasIsDisabled(alias:W:taken)"),
    },
    aliasTaken: {
      fault: { code: "aliasTaken", alias: { chainId: 82, name: "taken" }, owner: account },
      answer: state("Alias already claimed"),
    },
    aliasProofsWrong: { fault: { code: "aliasProofsWrong", count: 2 }, answer: state("Invalid proofs size") },
    assetUnknown: { fault: { code: "assetUnknown", asset }, answer: state("Referenced assetId not found") },
    assetOfOtherIssuer: {
      fault: { code: "assetOfOtherIssuer", asset, issuer: bytes(9) },
      answer: state("Asset was issued by other address"),
    },
    assetNotReissuable: { fault: { code: "assetNotReissuable", asset }, answer: state("Asset is not reissuable") },
    assetVolumeOverflow: {
      fault: { code: "assetVolumeOverflow", asset, volume: 1n, quantity: 2n, limit: 2n },
      answer: state("Asset total value overflow"),
    },
    assetAlreadyIssued: {
      fault: { code: "assetAlreadyIssued", asset },
      answer: state(`Asset ${assetText} is already issued`),
    },
    assetTextNotUtf8: {
      fault: { code: "assetTextNotUtf8", field: "name" },
      answer: state("Valid UTF-8 strings required"),
    },
    sponsorshipOfScriptedAsset: {
      fault: { code: "sponsorshipOfScriptedAsset", asset },
      answer: state("Sponsorship smart assets is disabled."),
    },
    assetWithoutScript: {
      fault: { code: "assetWithoutScript", asset },
      answer: state("Cannot set script on an asset issued without a script"),
    },
    assetInfoUpdateTooEarly: {
      fault: { code: "assetInfoUpdateTooEarly", asset, height: 5, allowedHeight: 9, intervalBlocks: 4 },
      answer: state(
        `Can't update info of asset with id=${assetText} before 9 block, current height=5, minUpdateInfoInterval=4`,
      ),
    },
    assetNotIssued: {
      fault: { code: "assetNotIssued", asset, allowedUntil: 8n },
      answer: state("Unissued assets are not allowed after allowUnissuedAssetsUntil=8"),
    },
    transferAssetUnknown: {
      fault: { code: "transferAssetUnknown", asset },
      answer: state(`Transfer error: asset '${assetText}' is not found on the blockchain`),
    },
    massTransferAssetUnknown: {
      fault: { code: "massTransferAssetUnknown", asset },
      answer: state("Attempt to transfer a nonexistent asset"),
    },
    paymentAssetUnknown: {
      fault: { code: "paymentAssetUnknown", asset },
      answer: state(`Referenced ${assetText} not found`),
    },
    erc20AssetUnknown: {
      fault: { code: "erc20AssetUnknown", address: bytes(5, 20) },
      answer: state(`Can't resolve ERC20 address ${encodeBase58(bytes(5, 20))}`),
    },
    ethereumKeyInvalid: { fault: { code: "ethereumKeyInvalid" }, answer: state("Invalid public key") },
    ethereumTransferDataSizeWrong: {
      fault: { code: "ethereumTransferDataSizeWrong", sizeBytes: 69, expected: 68 },
      answer: state("Invalid asset data size for Ethereum Transfer"),
    },
    paymentNotAllowed: {
      fault: { code: "paymentNotAllowed", height: 9, lastHeight: 8 },
      answer: state("Payment transaction is deprecated after h=8"),
    },
    genesisNotFirst: {
      fault: { code: "genesisNotFirst", height: 2 },
      answer: state("GenesisTransaction cannot appear in non-initial block (2)"),
    },
    leaseToSelf: { fault: { code: "leaseToSelf" }, answer: state("Cannot lease to self") },
    leaseExists: {
      fault: { code: "leaseExists", leaseId: id as Uint8Array as LeaseId },
      answer: state(`Lease with id=${idText} is already in the state`),
    },
    leaseExceedsBalance: {
      fault: { code: "leaseExceedsBalance", balance: 7n, leased: 3n, required: 5n },
      answer: state("Cannot lease more than own: Balance: 7, already leased: 3"),
    },
    leaseUnknown: {
      fault: { code: "leaseUnknown", leaseId: id as Uint8Array as LeaseId },
      answer: state(`Lease with id=${idText} not found`),
    },
    leaseNotActive: {
      fault: { code: "leaseNotActive", leaseId: id as Uint8Array as LeaseId },
      answer: state("Cannot cancel already cancelled lease"),
    },
    leaseOfOtherSender: {
      fault: { code: "leaseOfOtherSender", leaseId: id as Uint8Array as LeaseId, blockTimestamp: 9n, allowedUntil: 8n },
      answer: state(
        "LeaseTransaction was leased by other sender and time=9 > allowMultipleLeaseCancelTransactionUntilTimestamp=8",
      ),
    },
    generationPeriodWrong: {
      fault: { code: "generationPeriodWrong", expected: 12, got: 4 },
      answer: state("Expected the next period start height 12, got 4"),
    },
    endorserKeyInvalid: {
      fault: { code: "endorserKeyInvalid", endorserPublicKey: id },
      answer: state("Invalid endorser public key: Wrong BLS public key: not in a group"),
    },
    commitmentSignatureInvalid: {
      fault: { code: "commitmentSignatureInvalid" },
      answer: state("Invalid commitment signature: Wrong BLS signature"),
    },
    generatorAlreadyCommitted: {
      fault: { code: "generatorAlreadyCommitted", account },
      answer: state(`${accountText} is already committed`),
    },
    endorserKeyCommitted: {
      fault: { code: "endorserKeyCommitted", endorserPublicKey: id },
      answer: state(`BLS key ${encodeBase58(id)} is already committed, try another key`),
    },
    generatingBalanceMissing: {
      fault: { code: "generatingBalanceMissing", balance: 99n, required: 100n },
      answer: state("Generating balance 99 is less than 100 required for block generation"),
    },
    orderOverfilled: {
      fault: { code: "orderOverfilled", order, filled: 4n, amount: 1n },
      answer: state(
        "Order validation error: Too much buy. Already filled volume for the order: 4",
        `"order":${orderText},`,
      ),
    },
    orderFeeExceeded: {
      fault: { code: "orderFeeExceeded", order, fee: 6n, limit: 5n },
      answer: state("Order validation error: Insufficient buy fee", `"order":${orderText},`),
    },
    exchangePriceOutOfOrder: {
      fault: {
        code: "exchangePriceOutOfOrder",
        side: "buy",
        price: 100_000_000n,
        orderPrice: 50_000_000n,
        convertedOrderPrice: 50_000_000n,
      },
      answer: state("exchange.price = 100_000_000 should be <= buyOrder.price = 50_000_000"),
    },
    matcherFeeNegative: {
      fault: { code: "matcherFeeNegative", buyMatcherFee: -1n, sellMatcherFee: 1n },
      answer: state("Matcher fee can not be negative"),
    },
    matcherFeeAssetUnknown: {
      fault: { code: "matcherFeeAssetUnknown", asset },
      answer: state(`Asset ${assetText} should be issued before it can be traded`),
    },
    exchangeAssetUnknown: {
      fault: { code: "exchangeAssetUnknown", asset },
      answer: state("Assets should be issued before they can be traded"),
    },
    exchangeAmountOverflow: {
      fault: { code: "exchangeAmountOverflow" },
      answer: state("BigInteger out of long range"),
    },
    orderPriceModeNotActive: {
      fault: { code: "orderPriceModeNotActive", order },
      answer: state("Legacy price mode is only available after RideV6 activation"),
    },
    orderAttachmentNotActive: {
      fault: { code: "orderAttachmentNotActive", order },
      answer: state("Attachment field for orders is not supported yet"),
    },
    orderKeyInvalid: {
      fault: { code: "orderKeyInvalid", order },
      answer: state("Invalid public key for Ethereum orders"),
    },
    orderSignatureFormatInvalid: {
      fault: { code: "orderSignatureFormatInvalid", order },
      answer: state("Invalid order signature format"),
    },
    scriptedAssetTradingNotActive: {
      fault: { code: "scriptedAssetTradingNotActive", asset },
      answer: state("Smart assets can't participate in ExchangeTransactions (SmartAssetsFeature is disabled)"),
    },
    scriptedAccountTradingNotActive: {
      fault: { code: "scriptedAccountTradingNotActive", side: "sell", account },
      answer: state(
        `Seller ${accountText} can't participate in ExchangeTransaction because it has assigned Script ` +
          "(SmartAccountsTrades is disabled)",
      ),
    },
    poolFull: {
      fault: { code: "poolFull", of: "transactions", limit: 100_000 },
      answer: custom("Transaction pool size limit is reached"),
    },
    poolTakesNoScripted: {
      fault: { code: "poolTakesNoScripted" },
      answer: custom("transactions from scripted accounts are denied from UTX pool"),
    },
    tooFewPeers: {
      fault: { code: "tooFewPeers", connected: 0, minimum: 1 },
      answer: custom("There are not enough connections with peers (0) to accept transaction"),
    },
    poolTakesNoneOfSender: {
      fault: { code: "poolTakesNoneOfSender", sender: account },
      answer: custom(`SenderIsBlacklisted(${accountText})`),
    },
    scriptNotSupported: {
      fault: { code: "scriptNotSupported", reason: "invoke (1020) is not supported" },
      answer: state("Internal error: this node cannot run the script: invoke (1020) is not supported"),
    },
  };

  it.each(casesOf(rows))("$code: $status $answer", ({ fault, status, answer }) => {
    expect(answerOf(refusalReply(fault, transaction, trace))).toEqual({ status, text: answer });
  });

  it("without trace=true nothing follows the transaction", () => {
    expect(answerOf(refusalReply({ code: "leaseToSelf" }, transaction, {})).text).toBe(
      '{"error":112,"message":"State check failed. Reason: Cannot lease to self","transaction":{"type":4}}',
    );
  });

  it("a fee that scripts add to says so", () => {
    const fault: TransactionFault = {
      code: "feeTooLow",
      type: TransactionType.Exchange,
      fee: 1n,
      feeAsset: null,
      required: 1_100_000n,
      requiredWavelets: 1_100_000n,
      scriptedAssets: 1,
      scriptedSender: true,
    };
    expect(answerOf(refusalReply(fault, transaction, trace)).text).toBe(
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
    expect(answerOf(refusalReply({ code: "poolFull", of, limit: 1 }, transaction, trace)).text).toBe(custom(text));
  });
});

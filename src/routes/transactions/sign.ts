/**
 * Signing by the node with accounts of its wallet: keys stay in ChainState.
 * @source docs/protocol/rest-api.md 2.10, 3.4; Waves: transaction/TransactionFactory.scala (parseRequestAndSign)
 */
import { encodeBase58 } from "../../crypto/base58.ts";
import { bytesKey } from "../../crypto/bytes.ts";
import type { Address, PublicKey } from "../../crypto/identities.ts";
import type { WalletAccountInfo } from "../../env.ts";
import { ApiError } from "../../http/api-error.ts";
import type { DocumentedError } from "../../http/errors.ts";
import { checkedObject } from "../../http/request-body.ts";
import { json, momentary, type RouteResponse } from "../../http/route-response.ts";
import { address } from "../../http/value-kinds.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { ParsedObject } from "../../protocol/parse-json.ts";
import { buildTransaction } from "../../protocol/transactions/build-transaction.ts";
import { encodeProtobuf } from "../../protocol/transactions/encode-for-block.ts";
import { malformed } from "../../protocol/transactions/format-error.ts";
import { int, text } from "../../protocol/transactions/json-reader.ts";
import { parseAddressText } from "../../protocol/transactions/recipient.ts";
import { readFirst } from "../../protocol/transactions/request-members.ts";
import type { TransactionFields } from "../../protocol/transactions/transaction.ts";
import { transactionJson } from "../../protocol/transactions/transaction-json.ts";
import { TransactionType } from "../../protocol/transactions/transaction-type.ts";
import { nextGenerationPeriod } from "../../rules/finality/generation-period.ts";
import { chainTimeMs } from "../../services/chain-time.ts";
import { type NodeContext, route } from "../../services/context.ts";
import { keyGuard } from "../../services/key-guard.ts";
import { signRequestOf } from "../json/unsigned-transaction.ts";
import { transaction, unsignedTransaction } from "../schemas/transaction.ts";
import { catchFormatError } from "./catch-format-error.ts";

type SigningContext = Pick<NodeContext, "queryState" | "chainId" | "chainState" | "network" | "nowMs">;

/**
 * Completes a request to commit to generate with the next period, and with the key and proof of the signer's account.
 * @throws FormatError, ApiError senderKeyMissing
 * @source docs/protocol/rest-api.md 3.4; Waves 1.6: transaction/TransactionFactory.scala
 */
async function withCommitment(body: ParsedObject, signer: Address, node: SigningContext): Promise<ParsedObject> {
  const { queryState, chainState } = node;
  accountOf(await chainState.wallet.accounts(), signer);
  const stated = body["generationPeriodStart"];
  const requested = stated === undefined ? undefined : int(stated);
  const start = typeof requested === "number" ? requested : await nextPeriodStart(queryState);
  if (start === undefined) throw malformed("missing generation period start");
  const commitment = await chainState.wallet.commitment(signer, start);
  if (commitment === undefined) throw new ApiError({ code: "senderKeyMissing" });
  return {
    generationPeriodStart: BigInt(start),
    endorserPublicKey: encodeBase58(commitment.endorserPublicKey),
    commitmentSignature: encodeBase58(commitment.commitmentSignature),
    ...body,
  };
}

/** Start of the period after the tip's; undefined before feature 25. */
async function nextPeriodStart(askState: NodeContext["queryState"]): Promise<number | undefined> {
  return (await askState((view) => nextGenerationPeriod(view.height, view)?.start)).value;
}

/**
 * Signs in two calls of ChainState: for the sender's key, which is part of the transaction, and for the signature.
 * @param signer undefined: the sender
 * @throws FormatError, ApiError senderKeyMissing
 */
async function signed(body: ParsedObject, signer: Address | undefined, node: SigningContext): Promise<JsonObject> {
  const { chainId, chainState } = node;
  const request = signRequestOf(await completed(body, signer, node), chainId);
  if (request.sender === null) throw malformed("invalid.sender");
  const senderAddress = parseAddressText(request.sender, chainId);
  const accounts = await chainState.wallet.accounts();
  const sender = accountOf(accounts, senderAddress);
  const findSigner = () => (signer === undefined ? sender : accountOf(accounts, signer));
  if (request.isSignerFirst) findSigner();
  const unsigned = request.build({ sender: sender.publicKey as PublicKey, timestamp: BigInt(await chainTimeMs(node)) });
  const signature = await chainState.wallet.sign(findSigner().address, encodeProtobuf(unsigned));
  // The account has been deleted between the two calls.
  if (signature === undefined) throw new ApiError({ code: "senderKeyMissing" });
  return transactionJson(buildTransaction({ ...unsigned, proofs: [signature] } as TransactionFields));
}

/** @throws FormatError, ApiError senderKeyMissing */
async function completed(body: ParsedObject, signer: Address | undefined, node: SigningContext): Promise<ParsedObject> {
  if (body["type"] !== BigInt(TransactionType.CommitToGeneration)) return body;
  const sender = body["sender"];
  if (signer !== undefined) return withCommitment(body, signer, node);
  if (typeof sender !== "string") throw malformed("invalid.sender");
  return withCommitment(body, parseAddressText(sender, node.chainId), node);
}

/** @throws ApiError senderKeyMissing */
function accountOf(accounts: readonly WalletAccountInfo[], owner: Address): WalletAccountInfo {
  const key = bytesKey(owner);
  const account = accounts.find((each) => bytesKey(each.address) === key);
  if (account === undefined) throw new ApiError({ code: "senderKeyMissing" });
  return account;
}

function signResponse(body: ParsedObject, signer: Address | undefined, node: SigningContext): Promise<RouteResponse> {
  return catchFormatError(async () => {
    // A missing sender is reported before all other errors.
    if (signer === undefined) readFirst(body, "sender", text);
    return json(await signed(body, signer, node), momentary);
  });
}

const errors: readonly DocumentedError[] = ["transactionMalformed", "senderKeyMissing"];
const exampleBody = {
  type: 4,
  version: 3,
  sender: "3M4qwDomRabJKLZxuXhwfqLApQkU592nWxF",
  recipient: "3MNLh31RbGPLjoc9XXNLyRK3aD9HVsQVNtv",
  amount: 28,
  fee: 100_000,
  timestamp: 1_795_223_867_108,
};

const sign = route({
  method: "POST",
  path: "/transactions/sign",
  dependsOn: "node",
  isPrivate: true,
  refusesGet: true,
  trailingSlash: true,
  body: checkedObject(unsignedTransaction),
  description: {
    tag: "transactions",
    summary: "Sign a transaction of an account of the wallet",
    notes:
      "It is neither broadcast nor checked against the state: it may be refused later. For a commitment to generate (19), a missing BLS key, proof and period are filled in.",
    response: transaction,
    errors,
    examples: [{ body: exampleBody }],
  },
  handle: ({ body, ...node }) => signResponse(body, undefined, node),
});

const signBy = route({
  method: "POST",
  path: "/transactions/sign/:signerAddress",
  dependsOn: "node",
  isPrivate: true,
  refusesGet: true,
  params: { signerAddress: address },
  body: checkedObject(unsignedTransaction),
  description: {
    tag: "transactions",
    summary: "Sign a transaction with another account of the wallet",
    notes: "As a script of the sender may require. The sender must be an account of the wallet, too.",
    response: transaction,
    errors,
    examples: [{ params: { signerAddress: "3MGqWUDyZuENhGUK7MqcavBbgtTgfMeDzUW" }, body: exampleBody }],
  },
  handle: ({ body, params, ...node }) => signResponse(body, params.signerAddress, node),
});

const otherMethods = keyGuard("ALL", "/transactions/sign/:signerAddress/*", { signerAddress: address });

const signGuard = keyGuard("ALL", "/transactions/sign*");

export const signRoutes = [sign, signBy, otherMethods, signGuard];

/**
 * The block at height 1, which depends only on the network's settings.
 * @source Waves: block/Block.scala (genesis), transaction/GenesisTransaction.scala, package.scala (checkGenesis)
 */

import { encodeBase58 } from "../../crypto/base58.ts";
import { concatBytes, i64Bytes } from "../../crypto/bytes.ts";
import { sign, verify } from "../../crypto/curve25519.ts";
import type { Address, Digest, Signature } from "../../crypto/identities.ts";
import { keyPairOfAccountSeed } from "../../crypto/seed.ts";
import { Feature } from "../../network/features.ts";
import type { BlockchainSettings } from "../../network/settings.ts";
import { RuleError } from "../errors.ts";
import { genesisStateHash } from "../snapshots/state-hash.ts";
import { parseTransaction } from "../transactions/parse-transaction.ts";
import type { GenesisTransaction } from "../transactions/transaction.ts";
import { TransactionType } from "../transactions/transaction-type.ts";
import type { Block, BlockHeader, BlockId } from "./block.ts";
import { BlockVersion } from "./block-version.ts";
import { legacySignedBytes } from "./legacy-block.ts";
import { parseBlock } from "./parse-block.ts";

/** Account with a publicly known seed, the empty one: the settings make a genesis block valid, not its signer. */
const generator = keyPairOfAccountSeed(new Uint8Array(0));
/** Makes the signature deterministic: the same settings give the same block and id at each start. */
const noRandomBytes = new Uint8Array(64);

/**
 * The genesis block of a network: version 1, signed by the account with the empty seed.
 * @throws RuleError blockSignatureInvalid when the signature in the settings is not for this block; headerFieldInvalid
 *   when the transactions do not add up to the initial balance
 */
export function genesisBlock({ chainId, genesis, functionality }: BlockchainSettings): Block {
  const transactions = genesisTransactions(genesis, chainId);
  const header: BlockHeader = {
    version: BlockVersion.Genesis,
    timestamp: genesis.blockTimestampMs,
    reference: new Uint8Array(64).fill(0xff) as Uint8Array as BlockId,
    baseTarget: genesis.initialBaseTarget,
    generationSignature: new Uint8Array(32),
    generator: generator.publicKey,
    featureVotes: [],
    rewardVote: -1n,
    transactionsRoot: undefined,
    stateHash: headerStateHash(transactions, functionality.preActivatedFeatures),
    challengedHeader: undefined,
    finalizationVoting: undefined,
  };
  const signedBytes = legacySignedBytes({ header, transactions });
  const signature: Signature = genesis.signature ?? sign(generator.privateKey, signedBytes, noRandomBytes);
  validateSignature(signature, signedBytes);
  validateInitialBalance(transactions, genesis.initialBalance);
  return { header, signature, id: signature as Uint8Array as BlockId, transactions };
}

/**
 * Parses a stored header. The state hash of the genesis block is not part of its bytes: it follows from the settings.
 * @throws WireError
 */
export function parseStoredHeader(bytes: Uint8Array, height: number, settings: BlockchainSettings): Block {
  const block = parseBlock(bytes, settings.chainId);
  if (height > 1) return block;
  const { genesis, functionality, chainId } = settings;
  const stateHash = headerStateHash(genesisTransactions(genesis, chainId), functionality.preActivatedFeatures);
  return { ...block, header: { ...block.header, stateHash } };
}

function genesisTransactions(
  { transactions, timestampMs }: BlockchainSettings["genesis"],
  chainId: number,
): readonly GenesisTransaction[] {
  return transactions.map(({ recipient, amount }) => genesisTransaction(recipient, amount, timestampMs, chainId));
}

/** State hash of the genesis header, if state hashes are active from the start. */
function headerStateHash(
  transactions: readonly GenesisTransaction[],
  preActivatedFeatures: ReadonlyMap<number, number>,
): Digest | undefined {
  return isActiveBeforeGenesis(preActivatedFeatures) ? genesisStateHash(transactions) : undefined;
}

function genesisTransaction(recipient: Address, amount: bigint, timestamp: bigint, chainId: number) {
  const type = Uint8Array.of(TransactionType.Genesis);
  const transaction = parseTransaction(concatBytes(type, i64Bytes(timestamp), recipient, i64Bytes(amount)), chainId);
  return transaction as GenesisTransaction;
}

/**
 * The genesis block is created before there is a height: a feature that is active from height 1 on is not active for
 * it.
 */
function isActiveBeforeGenesis(preActivatedFeatures: ReadonlyMap<number, number>): boolean {
  const activationHeight = preActivatedFeatures.get(Feature.LightNode);
  return activationHeight !== undefined && activationHeight <= 0;
}

function validateSignature(signature: Signature, signedBytes: Uint8Array): void {
  if (verify(signature, signedBytes, generator.publicKey)) return;
  throw new RuleError({ code: "blockSignatureInvalid", blockId: encodeBase58(signature) });
}

function validateInitialBalance(transactions: readonly GenesisTransaction[], initialBalance: bigint): void {
  const sum = transactions.reduce((total, { amount }) => total + amount, 0n);
  if (sum === initialBalance) return;
  const reason = `they distribute ${sum} wavelets, the initial balance is ${initialBalance}`;
  throw new RuleError({ code: "headerFieldInvalid", field: "transactions", reason });
}

/** A state with any number of accounts, written directly into the databases, and blocks that move WAVES in it. */
import { DatabaseSync } from "node:sqlite";
import { addressOfPublicKeyHash } from "../../../src/crypto/address.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { buildMicroBlock } from "../../../src/protocol/blocks/liquid-block.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type { Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { richKey } from "../../../test/support/builders/signed-transfer.ts";
import { SeededRandom } from "../../chain-generator/seeded-random.ts";
import { SimulatedNode } from "../../simulation/simulated-node.ts";
import { databaseFiles } from "../../sqlite/database-files.ts";
import { nativeAccount } from "./native-signer.ts";

const { chainId } = privateNetwork.blockchain;
const waves = 100_000_000n;
const fee = 100_000n;

/** Accounts that the blocks touch, each once if there are enough. */
export interface Crowd {
  readonly accounts: number;
  readonly touched: readonly Address[];
  readonly blocks: readonly Block[];
}

/**
 * @param accounts of the whole state
 * @param shape of the blocks
 */
export function makeCrowd(accounts: number, shape: { readonly blocks: number; readonly transfers: number }): Crowd {
  const random = new SeededRandom(`crowd of ${accounts}`);
  const transfers = shape.blocks * shape.transfers;
  const senders = Array.from({ length: Math.min(transfers, accounts / 2) }, (_, number) =>
    nativeAccount(`sender ${number}`, chainId),
  );
  const recipients = senders.map(() => addressOfPublicKeyHash(random.bytes(20), chainId));
  const touched = [...senders.map(({ address }) => address), ...recipients];
  const node = new SimulatedNode({ startMs: Number(privateNetwork.blockchain.genesis.blockTimestampMs) });
  insertAccounts(node.database.database, touched);
  let made = 0;
  const transfer = (): Transaction => {
    const number = made++ % senders.length;
    const sender = senders[number] as (typeof senders)[number];
    const fields = {
      type: TransactionType.Transfer,
      version: 3,
      chainId,
      sender: sender.publicKey,
      feeAsset: null,
      asset: null,
      fee,
      amount: BigInt(1 + random.below(1_000)),
      attachment: new Uint8Array(),
      recipient: { kind: "address", address: recipients[number] as Address },
      timestamp: BigInt(node.nowMs),
      proofs: [],
    } as const;
    return buildTransaction({ ...fields, proofs: [sender.sign(buildTransaction(fields).bodyBytes)] });
  };
  const blocks = Array.from({ length: shape.blocks }, () =>
    forgeBlock(node, Array.from({ length: shape.transfers }, transfer)),
  );
  return { accounts, touched, blocks };
}

/** Forges a key block with one micro-block. */
export function forgeBlock(node: SimulatedNode, transactions: readonly Transaction[]): Block {
  const { chain } = node;
  node.mineTo(chain.view.height + 1);
  const opened = chain.liquid.openMicroBlock({ verifySignatures: false });
  for (const transaction of transactions) opened.run.add(transaction);
  const { microBlock } = buildMicroBlock({
    liquid: chain.liquid.block(),
    extension: { transactions, stateHash: opened.run.stateHash, finalizationVoting: undefined },
    privateKey: richKey.privateKey,
    chainId,
    random: secureRandomBytes,
  });
  chain.liquid.appendOwnMicroBlock(microBlock, opened, node.nowMs);
  return chain.stored.findBlock(chain.view.height) as Block;
}

/**
 * Inserts the accounts into the state and the read model of a stopped node at genesis.
 * @param storagePath folder of Miniflare's databases
 */
export function fillState(storagePath: string, { accounts, touched }: Crowd): void {
  const files = databaseFiles(storagePath);
  const state = new DatabaseSync(files.chainState);
  insertCrowd(state, { accounts, touched });
  const stateFile = state.location() as string;
  state.close();
  const readModel = new DatabaseSync(files.readModel);
  readModel.prepare("ATTACH ? AS state").run(stateFile);
  for (const table of ["account", "balance_history"])
    readModel.exec(`INSERT OR IGNORE INTO main.${table} SELECT * FROM state.${table}`);
  readModel.close();
}

/** Inserts the accounts into the state of a node at genesis. */
export function insertCrowd(state: DatabaseSync, { accounts, touched }: Omit<Crowd, "blocks">): void {
  insertAccounts(state, touched);
  // These accounts are never read, so they need no checksum. `||` makes a text of anything.
  state
    .prepare(
      `WITH RECURSIVE number (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number WHERE value < ?)
       INSERT OR IGNORE INTO account (address, balance, lease_in, lease_out)
       SELECT CAST(x'0152' || randomblob(24) AS BLOB), ${waves}, 0, 0 FROM number WHERE ? > 0 ORDER BY 1`,
    )
    .run(Math.max(accounts - touched.length, 1), accounts - touched.length);
  state.exec(
    `INSERT OR IGNORE INTO balance_history (address, height, balance, lease_in, lease_out)
     SELECT address, 1, balance, lease_in, lease_out FROM account`,
  );
}

function insertAccounts(database: DatabaseSync, addresses: readonly Address[]): void {
  database.exec("BEGIN");
  const account = database.prepare("INSERT INTO account (address, balance, lease_in, lease_out) VALUES (?, ?, 0, 0)");
  const history = database.prepare(
    "INSERT INTO balance_history (address, height, balance, lease_in, lease_out) VALUES (?, 1, ?, 0, 0)",
  );
  for (const address of addresses) {
    account.run(address, waves);
    history.run(address, waves);
  }
  database.exec("COMMIT");
}

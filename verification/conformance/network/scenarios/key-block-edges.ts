/**
 * Key blocks with transactions of their own, which no node makes: signed by a generator outside all nodes, or by a node
 * that challenges it. Their calls see the parent in its liquid form; in a block that challenges a micro-block, and in
 * micro-blocks, calls see it stored.
 */
import path from "node:path";
import { addressText } from "../../../../src/crypto/address.ts";
import { type ParsedObject, parseJson } from "../../../../src/protocol/parse-json.ts";
import { waitForAgreement, waitUntil } from "../agreement.ts";
import { EdgeDApp, type EdgeMiner } from "../edge-dapp.ts";
import { FollowedChain } from "../followed-chain.ts";
import { extendAsOutsider, type OutsiderBlockOptions, type OutsiderOptions } from "../outsider.ts";
import { type ParentForm, PreparedParent, queryCallableSource } from "../prepared-parent.ts";
import { heightOf, readText } from "../read-chain.ts";
import { fillWallet } from "../reference-wallet.ts";
import { type RogueOptions, sendWrongBlock, sendWrongMicroBlock } from "../rogue.ts";
import type { Stage } from "../scenario.ts";
import { minerOf, type NodeKind } from "../short-network.ts";

/** Time for the tip to get its micro-blocks, and for the outsider to come before the miner. */
const blockTimeFactor = 3;
const validBlocks = 3;
const confirmations = 2;
const timeoutMs = 180_000;
/** Several attempts: a wrong block that came too late is not challenged. */
const attempts = 5;
const outsiderAddress = "127.0.0.5";
/**
 * Last octet of each rogue's first address: every attempt uses another address, as senders of wrong blocks get
 * blacklisted.
 */
const rogueAddresses = { liquid: 10, stored: 20 } as const;

/** @param head directives of the dApp @returns differences and violations */
export async function findKeyBlockDifferences(stage: Stage, head: string): Promise<string[]> {
  const found: string[] = [];
  for (const miner of ["reference", "ours"] as const)
    found.push(...(await findDifferencesWithMiner(miner, stage, head)).map((text) => `beside ${miner}: ${text}`));
  return found;
}

/** @param miner the only block maker apart from the outsider; it also challenges */
async function findDifferencesWithMiner(miner: EdgeMiner, stage: Stage, head: string): Promise<string[]> {
  const { random, log } = stage;
  const folder = path.join(stage.folder, `key-blocks-beside-${miner}`);
  const dApp = await EdgeDApp.started({ ...stage, folder }, head + queryCallableSource, { miner, blockTimeFactor });
  try {
    const { network, nodes, node } = dApp;
    if (miner === "reference") await fillWallet(node, network);
    const parent = new PreparedParent(dApp, random);
    const facts = { network, nodes, random, parent };
    const outsider: OutsiderOptions = {
      ...{ ...facts, account: minerOf(network, "go"), localAddress: outsiderAddress },
      miner: { node, account: minerOf(network, miner) },
    };
    for (let made = 0; made < validBlocks; made++) {
      const isInMicroBlock = made > 0 && random.boolean(1 / 3);
      // The reference sees the parent liquid if it gets micro-blocks as parts of a whole block.
      const told = isInMicroBlock ? nodes : random.pick([nodes, nodes, nodes.slice(0, 1), nodes.slice(1)]);
      // Only one kind per block: a late validator cannot tell a key block's own transactions from those of
      // micro-blocks.
      const wishes = (): OutsiderBlockOptions =>
        isInMicroBlock
          ? { microBlocks: [{ transactions: parent.calls("stored") }] }
          : { own: parent.calls("liquid"), microBlocks: [] };
      const { height, transactions } = await extendAsOutsider({ ...outsider, recipients: told }, wishes, parent);
      dApp.addCalls(transactions);
      await waitForAgreement(nodes, height + confirmations, timeoutMs);
      const differences = await parent.differences(transactions);
      if (differences.length > 0) return differences;
      const names = told.map(({ name }) => name).join(" and ");
      const place = isInMicroBlock ? "micro-block" : "key block";
      log(`  a ${place} at ${height}, sent to ${names}: ${transactions.length} calls`);
    }
    const found = await dApp.findDifferences();
    const rogue = (kind: NodeKind): Omit<RogueOptions, "localAddress"> => ({
      ...{ ...facts, account: minerOf(network, kind) },
      challenger: { node, account: minerOf(network, miner) },
    });
    found.push(...(await challenged(dApp, { send: sendWrongBlock, form: "liquid", rogue: rogue("go"), parent, log })));
    const judge = miner === "ours" ? "reference" : "ours";
    const byMicroBlock = { send: sendWrongMicroBlock, form: "stored", rogue: rogue(judge), parent, log } as const;
    found.push(...(await challenged(dApp, byMicroBlock)));
    found.push(...(await dApp.findNodeDifferences()));
    return [...found, ...(await findLateValidatorErrors(dApp))];
  } finally {
    await dApp.stop();
  }
}

interface WrongBlockOptions {
  readonly send: typeof sendWrongBlock;
  /** Form in which the calls of the challenging block see the parent. */
  readonly form: ParentForm;
  readonly rogue: Omit<RogueOptions, "localAddress">;
  readonly parent: PreparedParent;
  readonly log: Stage["log"];
}

/** Violations in the block that the miner makes to challenge a wrong one. */
async function challenged(dApp: EdgeDApp, { send, form, rogue, parent, log }: WrongBlockOptions): Promise<string[]> {
  const { nodes, node } = dApp;
  const generator = addressText(rogue.account.address);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const localAddress = `127.0.0.${rogueAddresses[form] + attempt}`;
    const { height, own } = await send({ ...rogue, localAddress, own: () => parent.calls(form) });
    await waitForAgreement(nodes, height + confirmations, timeoutMs);
    const header = parseJson(await readText(`${node.url}/blocks/headers/at/${height}`)) as ParsedObject;
    if ((header["challengedHeader"] as ParsedObject | undefined)?.["generator"] !== generator) continue;
    dApp.addCalls(own);
    log(`  a block that challenges at ${height}, the parent ${form} to it: ${own.length} calls`);
    return parent.differences(own);
  }
  return [`nobody has challenged ${generator}, who has sent ${attempts} wrong blocks`];
}

/** Validation errors of a node that gets all of the chain at once, without seeing how each block was made. */
async function findLateValidatorErrors({ network, node }: EdgeDApp): Promise<string[]> {
  const height = (await heightOf(node.url)) - confirmations;
  const followed = new FollowedChain(network);
  let fault: string | undefined;
  try {
    await waitUntil("a late judge has all blocks", timeoutMs, async () => {
      fault = await followed.follow(node);
      return fault !== undefined || followed.view.height >= height;
    });
  } finally {
    followed.close();
  }
  return fault === undefined ? [] : [`a late judge refuses ${fault}`];
}

/**
 * Blocks and micro-blocks with deliberately wrong state hashes: one node challenges them, another validates the
 * challenge.
 */
import path from "node:path";
import { addressText } from "../../../../src/crypto/address.ts";
import type { ParsedObject } from "../../../../src/protocol/parse-json.ts";
import { parseJson } from "../../../../src/protocol/parse-json.ts";
import type { GeneratedAccount } from "../../../chain-generator/generated-accounts.ts";
import { findDifference } from "../../../json-difference.ts";
import { differencesTo, waitForAgreement } from "../agreement.ts";
import type { NetworkNode } from "../network-node.ts";
import { type Member, NodeGroup } from "../node-group.ts";
import { readText } from "../read-chain.ts";
import { fillWallet } from "../reference-wallet.ts";
import { type RogueOptions, sendWrongBlock, sendWrongMicroBlock, type Wrong } from "../rogue.ts";
import type { Scenario, Stage } from "../scenario.ts";
import { lightNodeAbsence, makeShortNetwork, minerOf, type NodeKind } from "../short-network.ts";

/** Blocks on top of a challenge before responses are compared. */
const confirmations = 3;
const timeoutMs = 120_000;
/** First height whose header has a state hash. */
const firstHeight = lightNodeAbsence + 2;

export const challenge: Scenario = {
  name: "challenge",
  about: "blocks and micro-blocks with wrong state hashes are challenged by the reference, and by ours, and both agree",
  needs: ["reference"],
  play: async (stage) => [...(await challengedBy(stage, "reference")), ...(await challengedBy(stage, "ours"))],
};

/** The challenger makes blocks, the other node only validates. Accounts of the challenged generators are on no node. */
async function challengedBy(stage: Stage, challenger: "ours" | "reference"): Promise<string[]> {
  const judge = challenger === "ours" ? "reference" : "ours";
  const { programs, seed, random, log } = stage;
  const network = makeShortNetwork(seed, Date.now());
  const folder = path.join(stage.folder, `by-${challenger}`);
  const members: Member[] = [
    { kind: challenger, isMining: true },
    { kind: judge, isMining: false },
  ];
  const group = await NodeGroup.started({ programs, network, folder, members });
  try {
    const { nodes } = group;
    const facts = (kind: NodeKind, localAddress: string): RogueOptions => ({
      ...{ network, nodes, localAddress, random, account: minerOf(network, kind) },
      challenger: { node: group.node(challenger), account: minerOf(network, challenger) },
    });
    if (challenger === "reference") await fillWallet(group.node(challenger), network);
    await waitForAgreement(nodes, firstHeight, timeoutMs);
    const found: string[] = [];
    const byBlock = facts("go", "127.0.0.2");
    const wrongBlock = await sendWrongBlock(byBlock);
    found.push(...(await findChallengeDifferences(nodes, wrongBlock, byBlock)));
    const byMicroBlock = facts(judge, "127.0.0.3");
    const wrongMicroBlock = await sendWrongMicroBlock(byMicroBlock);
    found.push(...(await findChallengeDifferences(nodes, wrongMicroBlock, byMicroBlock)));
    const agreed = await waitForAgreement(nodes, wrongMicroBlock.height + confirmations, timeoutMs);
    found.push(...(await differencesTo(nodes, agreed)));
    log(
      `by ${challenger}: a block at ${wrongBlock.height}, a micro-block at ${wrongMicroBlock.height}, agreed to ${agreed}`,
    );
    return found.map((text) => `by ${challenger}: ${text}`);
  } finally {
    await group.stop();
  }
}

/** Checks that a block challenges the wrong one, and that all nodes report the same consequences. */
async function findChallengeDifferences(
  nodes: readonly NetworkNode[],
  { height, transactionIds }: Wrong,
  { account, challenger }: RogueOptions,
): Promise<string[]> {
  await waitForAgreement(nodes, height + confirmations, timeoutMs);
  const found: string[] = [];
  const paths = [
    `/blocks/at/${height}`,
    `/blocks/headers/at/${height}`,
    `/transactions/address/${addressText(account.address)}/limit/20`,
    ...transactionIds.flatMap((id) => [`/transactions/info/${id}`, `/transactions/merkleProof?id=${id}`]),
  ];
  for (const each of paths) {
    const [first = null, ...others] = await Promise.all(
      nodes.map(async ({ url }) => parseJson(await readText(url + each))),
    );
    for (const other of others) {
      const difference = findDifference(first, other, new Set());
      if (difference !== undefined) found.push(`${each} is answered in two ways: ${difference}`);
    }
  }
  for (const { name, url } of nodes) {
    const header = parseJson(await readText(`${url}/blocks/headers/at/${height}`)) as ParsedObject;
    const challenged = (header["challengedHeader"] as ParsedObject | undefined)?.["generator"];
    if (challenged !== addressText(account.address) || header["generator"] !== addressText(challenger.account.address))
      found.push(`${name} has no challenge at height ${height}: ${JSON.stringify(challenged)}`);
    for (const id of transactionIds) {
      const { applicationStatus } = parseJson(await readText(`${url}/transactions/info/${id}`)) as ParsedObject;
      if (applicationStatus !== "elided") found.push(`${name} has ${id} as ${JSON.stringify(applicationStatus)}`);
    }
    const { generating } = await balanceOf(url, account);
    if (String(generating) !== "0")
      found.push(`${name} lets ${addressText(account.address)} generate with ${generating}`);
  }
  return found;
}

async function balanceOf(url: string, { address }: GeneratedAccount): Promise<ParsedObject> {
  return parseJson(await readText(`${url}/addresses/balance/details/${addressText(address)}`)) as ParsedObject;
}

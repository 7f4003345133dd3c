/** A generator outside all nodes that endorses, in the current round, another final block than the chain has. */
import { setTimeout as pause } from "node:timers/promises";
import { addressText } from "../../../src/crypto/address.ts";
import { decodeBase58 } from "../../../src/crypto/base58.ts";
import { blsSecretKeyOf, blsSign } from "../../../src/crypto/bls.ts";
import { blake2b256 } from "../../../src/crypto/hash.ts";
import type { BlockId, ConflictEndorsement } from "../../../src/protocol/blocks/block.ts";
import { endorsementSignedBytes } from "../../../src/protocol/blocks/finalization-voting.ts";
import type { GeneratedAccount } from "../../chain-generator/generated-accounts.ts";
import { waitForHeight } from "./agreement.ts";
import { finalizedHeightOf } from "./finality-watch.ts";
import { contextOf } from "./followed-chain.ts";
import { generatorsOf } from "./generators.ts";
import type { NetworkNode } from "./network-node.ts";
import { headersOf, heightOf } from "./read-chain.ts";
import { ScriptPeer } from "./script-peer.ts";
import type { ShortNetwork } from "./short-network.ts";

/** Address of its connections: a node that blacklists it blacklists no other peer. */
const localAddress = "127.0.0.4";
const blockTimeoutMs = 60_000;
/** Time for the generator to collect the endorsements of the others: the Go node takes no conflict that comes alone. */
const leadMs = 900;
const lastMs = 200;

/**
 * Waits for a block and contradicts it, over a connection with each node.
 * @returns false if the account is no generator of the period or a block has already shown its contradiction
 */
export async function contradict(
  network: ShortNetwork,
  nodes: readonly NetworkNode[],
  account: GeneratedAccount,
): Promise<boolean> {
  const [first] = nodes;
  if (first === undefined) throw new Error("there is no node to contradict");
  const peers: ScriptPeer[] = [];
  try {
    for (const { peerAddress } of nodes)
      peers.push(await ScriptPeer.connected(peerAddress, contextOf(network), "contradictor", localAddress));
    const { url } = first;
    const before = await heightOf(url);
    await waitForHeight(first, before + 1, blockTimeoutMs);
    await pause(leadMs);
    const height = await heightOf(url);
    const generators = await generatorsOf(url, height);
    const endorserIndex = generators.findIndex(({ address }) => address === addressText(account.address));
    // The Go node logs a failure on further endorsements of an excluded generator.
    if (endorserIndex < 0 || generators[endorserIndex]?.conflictHeight !== undefined) return false;
    const [endorsed] = await headersOf(url, height - 1, height - 1);
    const says = {
      finalizedHeight: await finalizedHeightOf(url),
      finalizedBlockId: blake2b256(new Uint8Array(1)) as Uint8Array as BlockId,
      endorsedBlockId: decodeBase58(endorsed?.id ?? "") as Uint8Array as BlockId,
    };
    const signature = blsSign(blsSecretKeyOf(account.privateKey), endorsementSignedBytes(says));
    const endorsement: ConflictEndorsement = { endorserIndex, ...says, signature };
    for (const peer of peers) peer.send({ kind: "endorsement", value: endorsement });
    // The last messages are still on their way; closing the connection now would lose them.
    await pause(lastMs);
    return true;
  } finally {
    for (const peer of peers) peer.close();
  }
}

/** Nodes of a scenario, each behind a partition proxy; all connect to each other through the proxies. */
import path from "node:path";
import { freePort } from "../../local-node.ts";
import { goPeer } from "./go-peer.ts";
import type { NetworkNode, NodePlan } from "./network-node.ts";
import { ownPeer } from "./own-peer.ts";
import { PartitionProxy } from "./partition-proxy.ts";
import { referencePeer } from "./reference-peer.ts";
import type { MinerAccount, NodeKind, ShortNetwork } from "./short-network.ts";

/** Locations of the other nodes' programs. */
export interface Programs {
  /** Folder with the jars of the reference. */
  readonly library: string | undefined;
  /** Binary of the Go node. */
  readonly goNode: string | undefined;
}

export interface Member {
  readonly kind: NodeKind;
  /** Name; by default the kind. */
  readonly name?: string;
  /** Account that it forges with; by default that of its kind. */
  readonly miner?: MinerAccount;
  readonly isMining: boolean;
  readonly isLight?: boolean;
  /** Command line flags of this node at its first start. */
  readonly flags?: readonly string[];
  /** Folder, which may already hold a state; by default one with the name. */
  readonly folder?: string;
}

export interface NodeGroupOptions {
  readonly programs: Programs;
  readonly network: ShortNetwork;
  readonly folder: string;
  readonly members: readonly Member[];
  readonly quorum?: number;
}

export class NodeGroup {
  readonly nodes: readonly NetworkNode[];
  readonly #proxies: readonly PartitionProxy[];

  private constructor(nodes: readonly NetworkNode[], doors: readonly PartitionProxy[]) {
    this.nodes = nodes;
    this.#proxies = doors;
  }

  /** Starts all nodes, with open proxies. If one fails, those already started are stopped. */
  static async started(options: NodeGroupOptions): Promise<NodeGroup> {
    const { programs, network, folder, members, quorum } = options;
    const ports = await Promise.all(members.map(async () => [await freePort(), await freePort(), await freePort()]));
    const doors = ports.map(([peerPort = 0, , doorPort = 0]) => new PartitionProxy(doorPort, peerPort));
    const nodes = members.map((member, index) => {
      const [peerPort = 0, restPort = 0] = ports[index] ?? [];
      const name = member.name ?? member.kind;
      const plan: NodePlan = {
        network,
        folder: member.folder ?? path.join(folder, name),
        name,
        peerPort,
        restPort,
        declaredAddress: (doors[index] as PartitionProxy).address,
        peers: doors.filter((_, other) => other !== index).map(({ address }) => address),
        isMining: member.isMining,
        ...(member.isLight !== undefined && { isLight: member.isLight }),
        ...(quorum !== undefined && { quorum }),
      };
      return nodeOf(programs, plan, member);
    });
    const group = new NodeGroup(nodes, doors);
    try {
      await group.open();
      // One after the other: each start takes the whole processor.
      for (const node of nodes) await node.start();
      return group;
    } catch (error) {
      await group.stop();
      throw error;
    }
  }

  /** @throws Error when no node has the name */
  node(name: string): NetworkNode {
    const found = this.nodes.find((node) => node.name === name);
    if (found === undefined) throw new Error(`there is no node ${name}`);
    return found;
  }

  async open(): Promise<void> {
    for (const door of this.#proxies) await door.open();
  }

  /** Partitions the network: no node reaches another. */
  async cut(): Promise<void> {
    for (const door of this.#proxies) await door.close();
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) await node.stop();
    await this.cut();
  }
}

function nodeOf(programs: Programs, plan: NodePlan, { kind, miner, flags }: Member): NetworkNode {
  switch (kind) {
    case "ours":
      return ownPeer(plan, flags);
    case "reference":
      return referencePeer(given(programs.library, kind), plan, miner);
    case "go":
      return goPeer(given(programs.goNode, kind), plan, miner);
  }
}

function given(program: string | undefined, kind: NodeKind): string {
  if (program === undefined) throw new Error(`a scenario without its condition: there is no ${kind} node`);
  return program;
}

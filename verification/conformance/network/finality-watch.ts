/** Finalized heights that nodes report at each height of their chains. */
import { type ParsedObject, parseJson } from "../../../src/protocol/parse-json.ts";
import type { NetworkNode } from "./network-node.ts";
import { headersOf, heightOf, readText } from "./read-chain.ts";

type NodeEndpoint = Pick<NetworkNode, "name" | "url">;

interface Look {
  readonly height: number;
  /** Id of the block below the tip: finality follows from that block and those below. */
  readonly parentId: string | undefined;
  readonly finalized: number;
}

/** Finalized height that a node reported at a height. */
interface ReportedFinality {
  readonly name: string;
  readonly finalized: number;
  /**
   * Whether the node may know it from a branch that is no longer in the chain: that branch's votes made it final all
   * the same.
   */
  readonly isOfBranch: boolean;
}

const maxPrintedDifferences = 5;

export async function finalizedHeightOf(url: string): Promise<number> {
  return Number((parseJson(await readText(`${url}/blocks/height/finalized`)) as ParsedObject)["height"]);
}

export class FinalityWatch {
  readonly #nodes: readonly NodeEndpoint[];
  /** Observations by node name, in the order of time. */
  readonly #looks = new Map<string, Look[]>();

  constructor(nodes: readonly NodeEndpoint[]) {
    this.#nodes = nodes;
  }

  /** Queries each node once. */
  async look(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => this.#lookAt(node)));
  }

  /**
   * @param ids of the blocks on which all agree, from height 1 on
   * @returns differences between nodes, rollbacks of final blocks, and the number of heights that several nodes
   * reported on
   */
  findViolations(ids: readonly string[]): { readonly compared: number; readonly violations: readonly string[] } {
    const saids = this.#nodes.map(({ name }) => reportedOnChain(name, this.#looks.get(name) ?? [], ids));
    const violations: string[] = this.#nodes.flatMap(({ name }) => fallsOf(name, this.#looks.get(name) ?? []));
    let compared = 0;
    for (let height = 1; height <= ids.length; height++) {
      const said = saids.flatMap((ofNode) => ofNode.get(height) ?? []);
      const [first, ...others] = said.filter(({ isOfBranch }) => !isOfBranch);
      if (first === undefined || said.length < 2) continue;
      compared++;
      const areSame =
        others.every(({ finalized }) => finalized === first.finalized) &&
        said.every(({ finalized }) => finalized >= first.finalized);
      if (!areSame)
        violations.push(
          `at height ${height} ${said.map(({ name, finalized }) => `${name} has ${finalized} final`).join(", ")}`,
        );
    }
    return { compared, violations: violations.slice(0, maxPrintedDifferences) };
  }

  async #lookAt({ name, url }: NodeEndpoint): Promise<void> {
    const height = await heightOf(url);
    const finalized = await finalizedHeightOf(url);
    const [parent] = height === 1 ? [] : await headersOf(url, height - 1, height - 1);
    // A new block may have arrived in between.
    if ((await heightOf(url)) !== height) return;
    const looks = this.#looks.get(name) ?? [];
    looks.push({ height, parentId: parent?.id, finalized });
    this.#looks.set(name, looks);
  }
}

/** Finalized heights by height of the tip, from looks at which the node was on the chain with the ids. */
function reportedOnChain(
  name: string,
  looks: readonly Look[],
  ids: readonly string[],
): ReadonlyMap<number, ReportedFinality> {
  const said = new Map<number, ReportedFinality>();
  let finalOnBranches = 0;
  for (const { height, parentId, finalized } of looks) {
    if (height > ids.length) continue;
    const isOnChain = height === 1 || ids[height - 2] === parentId;
    if (isOnChain) said.set(height, { name, finalized, isOfBranch: finalized <= finalOnBranches });
    else finalOnBranches = Math.max(finalOnBranches, finalized);
  }
  return said;
}

/** Violations of finality: a finalized height never falls. */
function fallsOf(name: string, looks: readonly Look[]): string[] {
  return looks.flatMap(({ finalized, height }, index) => {
    const before = looks[index - 1]?.finalized ?? 0;
    return finalized < before ? [`${name} had ${before} final, and at height ${height} ${finalized}`] : [];
  });
}

/** What each node says to be final while it has so many blocks. */
import { type ParsedObject, parseJson } from "../../../src/protocol/parse-json.ts";
import type { NetworkNode } from "./network-node.ts";
import { heightOf, readText } from "./read-chain.ts";

type Place = Pick<NetworkNode, "name" | "url">;

const shownDifferences = 5;

export async function finalizedHeightOf(url: string): Promise<number> {
  return Number((parseJson(await readText(`${url}/blocks/height/finalized`)) as ParsedObject)["height"]);
}

export class FinalityWatch {
  readonly #nodes: readonly Place[];
  /** By node, by the height of its tip. */
  readonly #seen = new Map<string, Map<number, number>>();
  readonly #faults: string[] = [];

  constructor(nodes: readonly Place[]) {
    this.#nodes = nodes;
  }

  /** Asks each node once. */
  async look(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => this.#lookAt(node)));
  }

  /**
   * @param settled below it no node has another block than the others
   * @returns where nodes differ, and how many heights there were of which several were asked
   */
  judged(settled: number): { readonly compared: number; readonly faults: readonly string[] } {
    const faults = [...this.#faults];
    let compared = 0;
    for (let height = 1; height <= settled; height++) {
      const said = this.#nodes.flatMap(({ name }) => {
        const finalized = this.#seen.get(name)?.get(height);
        return finalized === undefined ? [] : [{ name, finalized }];
      });
      if (said.length < 2) continue;
      compared++;
      if (new Set(said.map(({ finalized }) => finalized)).size > 1 && faults.length < shownDifferences)
        faults.push(
          `at height ${height} ${said.map(({ name, finalized }) => `${name} has ${finalized} final`).join(", ")}`,
        );
    }
    return { compared, faults };
  }

  async #lookAt({ name, url }: Place): Promise<void> {
    const height = await heightOf(url);
    const finalized = await finalizedHeightOf(url);
    // A block may have come in between.
    if ((await heightOf(url)) !== height) return;
    const ofNode = this.#seen.get(name) ?? new Map<number, number>();
    this.#seen.set(name, ofNode);
    const before = Math.max(0, ...[...ofNode.values()]);
    if (finalized < before) this.#faults.push(`${name} had ${before} final, and at height ${height} ${finalized}`);
    ofNode.set(height, finalized);
  }
}

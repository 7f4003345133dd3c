/** Progress reports of a node that is behind its peers. */
import type { SyncProgress } from "../../src/env.ts";
import { durationText } from "../cli/duration-text.ts";

/** Progress at a time. */
export interface SyncSample extends SyncProgress {
  /** Time of any clock. */
  readonly timeMs: number;
}

/** `behind`: the progress. `caughtUp`: the node is no longer behind; reported once. */
export interface SyncReport {
  readonly kind: "behind" | "caughtUp";
  readonly line: string;
}

/** Blocks from which a node counts as behind: one that has caught up occasionally lacks fewer. */
const MIN_BLOCKS_BEHIND = 10;
/** Time over which the speed is measured. */
const SPEED_WINDOW_MS = 30_000;

/** Makes reports of samples in the order of their times. */
export class SyncReporter {
  /** The first sample since the node fell behind. */
  #began: SyncSample | undefined;
  #recent: readonly SyncSample[] = [];
  #target = 0;

  /** @returns undefined: nothing to report, the node is level with its peers */
  report(sample: SyncSample): SyncReport | undefined {
    const { height, blocksAhead, connectedPeers, timeMs } = sample;
    if (this.#began === undefined && blocksAhead < MIN_BLOCKS_BEHIND) return undefined;
    this.#began ??= sample;
    // Without peers the network's height is unknown.
    if (connectedPeers > 0) this.#target = height + blocksAhead;
    this.#recent = [...this.#recent.filter((earlier) => timeMs - earlier.timeMs <= SPEED_WINDOW_MS), sample];
    if (connectedPeers > 0 && blocksAhead === 0) return this.#caughtUp(this.#began, sample);
    return { kind: "behind", line: syncLine(this.#recent, this.#target) };
  }

  #caughtUp(began: SyncSample, { height, timeMs }: SyncSample): SyncReport {
    this.#began = undefined;
    this.#recent = [];
    const line = `caught up with the peers at height ${height}: ${blocksText(height - began.height)} in ${durationText(timeMs - began.timeMs)}`;
    return { kind: "caughtUp", line };
  }
}

/**
 * Height, target, speed, time left and peers, e.g. `height 12000 of about 50000, 812 blocks/s, 47 s left, 3 peers`.
 * @param samples recent samples, at least one
 * @param target estimated height of the best peer, of which only the score is known
 */
export function syncLine(samples: readonly SyncSample[], target: number): string {
  const [first, last] = [samples[0] as SyncSample, samples.at(-1) as SyncSample];
  const blocksPerMs = (last.height - first.height) / Math.max(last.timeMs - first.timeMs, 1);
  const facts = [`height ${last.height} of about ${target}`];
  if (samples.length > 1) facts.push(`${speedText(blocksPerMs * 1000)} blocks/s`);
  if (blocksPerMs > 0) facts.push(`${durationText((target - last.height) / blocksPerMs)} left`);
  facts.push(peersText(last.connectedPeers));
  return facts.join(", ");
}

function speedText(blocksPerSecond: number): string {
  return blocksPerSecond >= 10 || blocksPerSecond <= 0
    ? String(Math.max(Math.round(blocksPerSecond), 0))
    : blocksPerSecond.toFixed(1);
}

function blocksText(count: number): string {
  return count === 1 ? "1 block" : `${count} blocks`;
}

function peersText(count: number): string {
  if (count === 0) return "no peer is connected";
  return count === 1 ? "1 peer" : `${count} peers`;
}

/**
 * `--import`: sends a block file to ChainState piece by piece. While one is applied, the next ones are read and their
 * signatures verified; nothing grows with the file. Blocks that the state holds already are compared, not applied again, so an import that stopped
 * goes on with the same file.
 */
import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { WireError } from "../../src/protocol/faults.ts";
import { UsageError } from "../cli/usage-error.ts";
import type { ChainOperator } from "../runner/chain-operator.ts";
import { readBlockFile } from "./block-file.ts";
import type { ProgressFacts } from "./progress.ts";
import { SNAPSHOT_FILE, withSnapshots } from "./snapshot-file.ts";
import { VerifyAhead } from "./verify-ahead.ts";

/** Where there is but one, the time of this process is taken from ChainState. */
const hasSpareProcessor = availableParallelism() > 1;

export interface ImportOutcome {
  readonly height: number;
  /** Blocks that were added. */
  readonly applied: number;
  readonly elapsedMs: number;
  /** Why the import stopped before its end: a sentence that names the height. */
  readonly fault: string | undefined;
}

/**
 * Checks what can be said of a file of blocks or snapshots before a node is started.
 * @throws UsageError
 */
export async function checkImportFile(flag: "import" | "snapshots", file: string): Promise<void> {
  const facts = await stat(file).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === "ENOENT" ? "there is no such file" : error.message;
    throw new UsageError(`--${flag} ${file}: ${reason}.`);
  });
  if (!facts.isFile()) throw new UsageError(`--${flag} ${file}: this is not a file.`);
}

export interface ImportFacts {
  /** Of blocks. */
  readonly file: string;
  /** With the snapshots of their transactions, which are not run then. */
  readonly snapshotsFile?: string | undefined;
  /** Last height to apply; by default all are. */
  readonly toHeight?: number | undefined;
  /** Called after each piece. */
  readonly report: (facts: ProgressFacts) => void;
  /** Of the network. */
  readonly chainId: number;
}

/**
 * Applies the blocks of a file.
 * @throws UsageError for an empty file
 */
export async function importBlocks(
  chain: ChainOperator,
  { file, snapshotsFile, toHeight, report, chainId }: ImportFacts,
): Promise<ImportOutcome> {
  const startedMs = performance.now();
  const { height: startHeight } = await chain.status();
  const { size: fileBytes } = await stat(file);
  if (fileBytes === 0)
    throw new UsageError(`--import ${file}: the file is empty, nothing follows height ${startHeight}.`);
  let [height, applied] = [startHeight, 0];
  const outcome = (fault?: string): ImportOutcome => {
    return { height, applied, elapsedMs: performance.now() - startedMs, fault };
  };
  const blocks = readBlockFile(file);
  const chunks = snapshotsFile === undefined ? blocks : withSnapshots(blocks, snapshotsFile);
  const ahead = new VerifyAhead(chunks, chainId);
  try {
    while (toHeight === undefined || height < toHeight) {
      const chunk = await ahead.next();
      if (chunk === undefined) break;
      const { verified, snapshots } = chunk;
      const applying = chain.importBlocks(chunk.bytes, { toHeight, verified, snapshots });
      const answer = await (hasSpareProcessor ? ahead.until(applying) : applying);
      height = answer.height;
      applied += answer.applied;
      if (answer.fault !== undefined) return outcome(answer.fault);
      const share = workDone(chunk.endOffset / fileBytes, { startHeight, height, toHeight });
      report({ height, applied, elapsedMs: performance.now() - startedMs, share });
    }
    return outcome();
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const { field, offset, reason } = error;
    const [missing, where] = field === SNAPSHOT_FILE ? ["snapshots", snapshotsFile] : ["whole block", file];
    return outcome(`no ${missing} for height ${height + 1} in ${where}, at byte ${offset}: ${reason}`);
  } finally {
    await chunks.return(undefined);
    await blocks.return(undefined);
    await chain.finishImport();
  }
}

/** By bytes of the file, or by heights if the end is a height. */
function workDone(
  shareOfFile: number,
  heights: { readonly startHeight: number; readonly height: number; readonly toHeight: number | undefined },
): number {
  if (heights.toHeight === undefined) return shareOfFile;
  const shareOfHeights = (heights.height - heights.startHeight) / Math.max(heights.toHeight - heights.startHeight, 1);
  return Math.min(Math.max(shareOfFile, shareOfHeights), 1);
}

/**
 * `--import`: sends a block file to ChainState in chunks. While one is applied, the next ones are read and their
 * signatures verified; memory does not grow with the file. Blocks already in the state are compared, not applied again,
 * so an interrupted import continues with the same file.
 */
import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { WireError } from "../../src/protocol/errors.ts";
import { UsageError } from "../cli/usage-error.ts";
import type { ChainOperator } from "../runtime/chain-operator.ts";
import { readBlockFile } from "./block-file.ts";
import type { ImportProgress } from "./progress.ts";
import { SNAPSHOT_FILE, withSnapshots } from "./snapshot-file.ts";
import { VerifyAhead } from "./verify-ahead.ts";

/** On a single core, this process would take its time from ChainState. */
const hasSpareProcessor = availableParallelism() > 1;

export interface ImportResult {
  readonly height: number;
  /** Blocks added. */
  readonly applied: number;
  readonly elapsedMs: number;
  /** Error that stopped the import early; it names the height. */
  readonly error: string | undefined;
}

/**
 * Checks a file of blocks or snapshots before a node is started.
 * @throws UsageError
 */
export async function checkImportFile(flag: "import" | "snapshots", file: string): Promise<void> {
  const info = await stat(file).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === "ENOENT" ? "there is no such file" : error.message;
    throw new UsageError(`--${flag} ${file}: ${reason}.`);
  });
  if (!info.isFile()) throw new UsageError(`--${flag} ${file}: this is not a file.`);
}

export interface ImportBlocksOptions {
  /** Block file. */
  readonly file: string;
  /** State snapshots of the transactions, which are then not executed. */
  readonly snapshotsFile?: string | undefined;
  /** Last height to apply; default: all. */
  readonly toHeight?: number | undefined;
  /** Called after each chunk. */
  readonly report: (progress: ImportProgress) => void;
  /** Chain id of the network. */
  readonly chainId: number;
}

/**
 * Applies the blocks of a file.
 * @throws UsageError for an empty file
 */
export async function importBlocks(
  chain: ChainOperator,
  { file, snapshotsFile, toHeight, report, chainId }: ImportBlocksOptions,
): Promise<ImportResult> {
  const startedMs = performance.now();
  const { height: startHeight } = await chain.status();
  const { size: fileBytes } = await stat(file);
  if (fileBytes === 0)
    throw new UsageError(`--import ${file}: the file is empty, nothing follows height ${startHeight}.`);
  let [height, applied] = [startHeight, 0];
  const outcome = (error?: string): ImportResult => {
    return { height, applied, elapsedMs: performance.now() - startedMs, error };
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
      const result = await (hasSpareProcessor ? ahead.until(applying) : applying);
      height = result.height;
      applied += result.applied;
      if (result.fault !== undefined) return outcome(result.fault);
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

/** Share by bytes of the file, or by heights if the end is a height. */
function workDone(
  shareOfFile: number,
  heights: { readonly startHeight: number; readonly height: number; readonly toHeight: number | undefined },
): number {
  if (heights.toHeight === undefined) return shareOfFile;
  const shareOfHeights = (heights.height - heights.startHeight) / Math.max(heights.toHeight - heights.startHeight, 1);
  return Math.min(Math.max(shareOfFile, shareOfHeights), 1);
}

/** `--checkpoint` and `--export-checkpoint`. */
import type { CheckpointPast } from "../../src/env.ts";
import { UsageError } from "../cli/usage-error.ts";
import type { ProgressReporter } from "../import/progress.ts";
import type { ChainOperator } from "../runtime/chain-operator.ts";
import type { CheckpointCalls } from "./checkpoint-calls.ts";
import { begunLine, readingLine, writingLine, writtenLine } from "./progress-lines.ts";
import { readCheckpoint } from "./read-checkpoint.ts";
import { reportWhileWaiting } from "./report-while-waiting.ts";
import { writeCheckpoint } from "./write-checkpoint.ts";

/**
 * Begins a new state with the given checkpoint, or continues one that has begun with it.
 * @throws UsageError the checkpoint does not fit the state; or the state lacks parts of its checkpoint, and no file is
 * given
 */
export async function beginWithCheckpoint(
  chain: ChainOperator,
  {
    file,
    digest,
    reporter,
  }: { readonly file: string | undefined; readonly digest: string | undefined; readonly reporter: ProgressReporter },
): Promise<void> {
  if (file === undefined) {
    const { loading } = await chain.checkpoint({ call: "standing" });
    if (loading === undefined) return;
    throw new UsageError(
      `The state is that of a checkpoint that is not whole, with the digest ${loading.digest}: name its file again with ` +
        "--checkpoint, or another directory with --data.",
    );
  }
  const read = await readCheckpoint(chain.checkpoint, file, digest, (progress) =>
    reporter.report(() => readingLine(progress), progress),
  );
  reporter.end();
  if (!read.isKnown) process.stdout.write(begunLine(read));
}

/** Writes a checkpoint. @throws UsageError */
export async function endWithCheckpoint(
  chain: ChainOperator,
  {
    file,
    past,
    reporter,
  }: { readonly file: string; readonly past: CheckpointPast; readonly reporter: ProgressReporter },
): Promise<void> {
  // The export waits until the read model is published, which takes long after a checkpoint or an import.
  const calls: CheckpointCalls = (call) =>
    call.call === "beginExport" ? reportWhileWaiting(chain, reporter, chain.checkpoint(call)) : chain.checkpoint(call);
  const written = await writeCheckpoint(calls, file, past, (progress) =>
    reporter.report(() => writingLine(progress), progress),
  );
  reporter.end();
  process.stdout.write(writtenLine(written));
}

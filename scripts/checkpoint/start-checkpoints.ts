/** `--checkpoint` and `--export-checkpoint`. */
import type { CheckpointPast } from "../../src/env.ts";
import { UsageError } from "../cli/usage-error.ts";
import type { ProgressReporter } from "../import/progress.ts";
import type { ChainOperator } from "../runner/chain-operator.ts";
import type { CheckpointCalls } from "./checkpoint-calls.ts";
import { begunLine, readingLine, writingLine, writtenLine } from "./progress-lines.ts";
import { readCheckpoint } from "./read-checkpoint.ts";
import { tellWait } from "./tell-wait.ts";
import { writeCheckpoint } from "./write-checkpoint.ts";

/**
 * Begins a new state with a checkpoint, where one is named; a state that has begun with it goes on.
 * @throws UsageError it is none for this state; or the state is a checkpoint of which parts are missing, and none is named
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
  const read = await readCheckpoint(chain.checkpoint, file, digest, (facts) =>
    reporter.report(() => readingLine(facts), facts),
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
  // The node ends when readers can see its state, which takes long behind a checkpoint or an import.
  const calls: CheckpointCalls = (call) =>
    call.call === "beginExport" ? tellWait(chain, reporter, chain.checkpoint(call)) : chain.checkpoint(call);
  const written = await writeCheckpoint(calls, file, past, (facts) => reporter.report(() => writingLine(facts), facts));
  reporter.end();
  process.stdout.write(writtenLine(written));
}

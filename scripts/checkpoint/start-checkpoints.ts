/** `--checkpoint` and `--export-checkpoint`. */
import { durationText } from "../cli/duration-text.ts";
import { UsageError } from "../cli/usage-error.ts";
import type { ProgressReporter } from "../import/progress.ts";
import type { ChainOperator } from "../runner/chain-operator.ts";
import { readingLine, writingLine } from "./progress-lines.ts";
import { readCheckpoint } from "./read-checkpoint.ts";
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
  const startedMs = performance.now();
  const read = await readCheckpoint(chain.checkpoint, file, digest, (facts) =>
    reporter.report(() => readingLine(facts), facts),
  );
  reporter.end();
  const elapsed = durationText(performance.now() - startedMs);
  if (!read.isKnown)
    process.stdout.write(`began with the checkpoint of height ${read.height} in ${elapsed}, digest ${read.digest}\n`);
}

/** Writes a checkpoint. @throws UsageError */
export async function endWithCheckpoint(chain: ChainOperator, file: string, reporter: ProgressReporter): Promise<void> {
  const written = await writeCheckpoint(chain.checkpoint, file, (facts) =>
    reporter.report(() => writingLine(facts), facts),
  );
  reporter.end();
  const { height, rows, sizeBytes, digest } = written;
  process.stdout.write(
    `wrote the checkpoint of height ${height}: ${rows} rows, ${sizeBytes} bytes, digest ${digest}\n`,
  );
}

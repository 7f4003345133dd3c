import type { ReadModelSink } from "./publish/read-model-sink.ts";

/**
 * Tells the runner of a dev chain each time that readers can see more: its log follows the chain by that, and need not ask while
 * nothing happens. The runner knows the line by its level, which nothing else is written with.
 */
export function toldSink(sink: ReadModelSink): ReadModelSink {
  return {
    batch: async (statements) => {
      const results = await sink.batch(statements);
      // biome-ignore lint/suspicious/noConsole: a Worker's log is what its runner reads
      console.debug("published");
      return results;
    },
  };
}

import type { ReadModelSink } from "./read-model-sink.ts";

/**
 * Notifies the runner of a dev chain each time readers can see more, so that its log follows the chain without polling.
 * The runner recognizes the line by its log level, which nothing else uses.
 */
export function notifyingSink(sink: ReadModelSink): ReadModelSink {
  return {
    batch: async (statements) => {
      const results = await sink.batch(statements);
      // biome-ignore lint/suspicious/noConsole: a Worker's log is what its runner reads
      console.debug("published");
      return results;
    },
  };
}

/** A node on the recorded chain that judges transactions at its tip and takes none into a pool. */
import { poolContext } from "../../../durable/pool/pool-context.ts";
import type { BroadcastAnswer, ValidationAnswer } from "../../../src/env.ts";
import { RuleError } from "../../../src/protocol/faults.ts";
import type { TransactionFault } from "../../../src/protocol/transactions/faults.ts";
import { parseSignedTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import { applyTransaction } from "../../../src/rules/transactions/apply-transaction.ts";
import { type TraceStep, traceStepJson } from "../../../src/rules/transactions/scripts/trace.ts";
import { validateTransaction } from "../../../src/rules/transactions/validate-transaction.ts";
import { fixtureText } from "../../recorded-lines.ts";
import { recordedChain } from "../recorded-chain.ts";
import { type TestNode, testNode } from "../test-node.ts";

type Facts = Parameters<typeof testNode>[0];

/**
 * @param nowMs the time at which a transaction is judged
 * @param more what else ChainState answers
 */
export async function judgingNode(
  nowMs: () => number,
  more: Pick<Facts, "chainState" | "node"> = {},
): Promise<TestNode> {
  const { chain, readModel } = await recordedChain();
  const context = () => poolContext(chain.view, nowMs(), true);
  const parse = (bytes: Uint8Array) => parseSignedTransaction(bytes, chain.view.settings.chainId);

  const broadcast = async (bytes: Uint8Array, options?: { readonly isTraced: boolean }): Promise<BroadcastAnswer> => {
    const steps: TraceStep[] = [];
    const trace = () => steps.map((step) => traceStepJson(step, true));
    const traced = options?.isTraced ? { trace: steps } : {};
    try {
      applyTransaction(parse(bytes), chain.view, { ...context(), ...traced, execution: "strict" });
      return { accepted: true, isNew: true, trace: trace() };
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      return { accepted: false, fault: error.fault as TransactionFault, trace: trace() };
    }
  };
  const validate = async (bytes: Uint8Array): Promise<ValidationAnswer> =>
    validateTransaction(parse(bytes), chain.view, context());

  const network = fixtureText("private-a/network.json");
  return testNode({ ...more, database: readModel, network, chainState: { ...more.chainState, broadcast, validate } });
}

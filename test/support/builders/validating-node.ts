/** A node on the recorded chain that validates transactions at its tip and has no pool. */
import type { Chain } from "../../../durable/chain-state/chain/open-chain.ts";
import { GeneratorDraws } from "../../../durable/chain-state/miner/generator-draw.ts";
import { miningSchedule } from "../../../durable/chain-state/miner/mining-schedule.ts";
import { accountSeed, keyPairOfAccountSeed } from "../../../src/crypto/seed.ts";
import type { BroadcastResult, NodeRpc, OwnerRpc, PoolSubmission } from "../../../src/env.ts";
import { privateNetworkSecrets } from "../../../src/network/networks/private.ts";
import { RuleError } from "../../../src/protocol/errors.ts";
import type { OrderId } from "../../../src/protocol/transactions/order.ts";
import { parseSignedTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import type { TransactionViolation } from "../../../src/protocol/transactions/transaction-violation.ts";
import { applyTransaction } from "../../../src/rules/transactions/apply-transaction.ts";
import { type TraceStep, traceStepJson } from "../../../src/rules/transactions/scripts/trace.ts";
import { tipContext } from "../../../src/rules/transactions/tip-context.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { fixtureText } from "../fixtures/recorded-lines.ts";
import { recordedChain } from "../fixtures/rest/recorded-chain.ts";
import { type TestNode, testNode } from "./test-node.ts";

type TestNodeOptions = Parameters<typeof testNode>[0];

/**
 * The time of validation is that of the test process's clock.
 * @param more further results of ChainState, and PeerHub
 */
export async function validatingNode(
  more: Pick<TestNodeOptions, "chainState" | "node" | "owner" | "peers"> = {},
): Promise<TestNode> {
  const { chain, readModel } = await recordedChain();
  const context = () => tipContext(chain.view, Date.now(), true);
  const parse = (bytes: Uint8Array) => parseSignedTransaction(bytes, chain.view.settings.chainId);

  const judge = ({ signedTransaction, isTraced }: PoolSubmission): BroadcastResult => {
    const steps: TraceStep[] = [];
    const trace = () => steps.map((step) => traceStepJson(step, true));
    const traced = isTraced ? { trace: steps } : {};
    try {
      applyTransaction(parse(signedTransaction), chain.view, { ...context(), ...traced, execution: "strict" });
      return { accepted: true, isNew: true, trace: trace() };
    } catch (error) {
      if (!(error instanceof RuleError)) throw error;
      return { accepted: false, violation: error.violation as TransactionViolation, trace: trace() };
    }
  };

  const orderFills: NodeRpc["orderFills"] = async (ids) =>
    (ids as OrderId[]).map((orderId) => {
      const { volume, fee } = chain.view.orderFill(orderId);
      return { orderId, volume, fee };
    });
  const network = fixtureText("private-a/network.json");
  return testNode({
    ...more,
    database: readModel,
    network,
    chainState: { ...more.chainState, broadcastAll: async (offers) => offers.map(judge) },
    node: { ...more.node, orderFills },
    owner: { ...ownerOf(chain), ...more.owner },
  });
}

/** Results for the owner of the wallet's first account, as if the node continued to make blocks. */
function ownerOf({ view, forks }: Chain): Partial<OwnerRpc> {
  const luck = new SeededRandom("owner");
  return {
    activity: async () => ({ height: view.height, score: forks.score(), minerState: "mining blocks" }),
    miningAccounts: async () => {
      const account = keyPairOfAccountSeed(accountSeed(privateNetworkSecrets.walletSeed, 0));
      const { accounts } = miningSchedule(view, [account], new GeneratorDraws((sizeBytes) => luck.bytes(sizeBytes)));
      return accounts.flatMap((turn) =>
        turn.code === "turn" ? [{ ...turn, timestampMs: Math.max(Number(turn.timestampMs), Date.now()) }] : [],
      );
    },
    rollBack: async (height) => {
      const blockId = view.findHeader(height)?.id;
      return blockId === undefined ? { kind: "noBlock" } : { kind: "done", blockId };
    },
    stop: async () => "untilDeployment",
  };
}

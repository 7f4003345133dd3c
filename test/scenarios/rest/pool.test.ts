/** Transactions from the client through the pool to the chain. */
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { decodeBase58, encodeBase58 } from "../../../src/crypto/base58.ts";
import type { Address } from "../../../src/crypto/identities.ts";
import type { BroadcastResult, PoolSubmission } from "../../../src/env.ts";
import { encodeIdList } from "../../../src/protocol/codec/id-list.ts";
import { parseJson } from "../../../src/protocol/parse-json.ts";
import { encodeProtobuf } from "../../../src/protocol/transactions/encode-for-block.ts";
import { parseSignedTransaction } from "../../../src/protocol/transactions/parse-transaction.ts";
import type { LeaseId } from "../../../src/protocol/transactions/transaction.ts";
import { transactionFromJson } from "../../../src/protocol/transactions/transaction-from-json.ts";
import type { TransactionViolation } from "../../../src/protocol/transactions/transaction-violation.ts";
import { testNode } from "../../support/builders/test-node.ts";
import { fixtureText, recordedLines } from "../../support/fixtures/recorded-lines.ts";
import { recordedReadModel } from "../../support/fixtures/rest/recorded-chain.ts";

const network = fixtureText("private-a/network.json");
const chainId = 82;
/** A transfer of the recorded chain, as the interface prints it. */
const recordedTransfer = recordedLines<{ id: string; response: string }>("private-a/transactions.jsonl.gz").find(
  ({ response }) => response.startsWith('{"type":4') && response.includes('"version":3'),
) as { id: string; response: string };
const {
  height: _,
  applicationStatus: __,
  spentComplexity: ___,
  ...transfer
} = JSON.parse(recordedTransfer.response) as Record<string, unknown>;
const unknownId = "8zqBKWqHMXPGuYrpvmnhMmVe5kSKhn8kLxNRrEsg9tfd";

let database: D1Database;
beforeAll(async () => {
  database = await recordedReadModel();
});

const broadcast = async (result: BroadcastResult, body: string, query = "") => {
  const sent: Uint8Array[] = [];
  const chainState = {
    broadcastAll: async (offers: PoolSubmission[]) =>
      offers.map(({ signedTransaction }) => {
        sent.push(signedTransaction);
        return result;
      }),
  };
  const node = testNode({ database, network, chainState });
  const response = await node.fetch(`/transactions/broadcast${query}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown>, sent };
};
const accepted: BroadcastResult = { accepted: true, isNew: true };
const refused = (violation: TransactionViolation): BroadcastResult => ({ accepted: false, violation: violation });

describe("broadcast", () => {
  test("hands the transaction to ChainState in protobuf and answers with it", async () => {
    const { status, json, sent } = await broadcast(accepted, JSON.stringify(transfer));
    expect(status).toBe(200);
    expect(json).toEqual(transfer);
    expect(encodeBase58(parseSignedTransaction(sent[0] as Uint8Array, chainId).id)).toBe(transfer["id"]);
  });

  test("with trace=true an empty trace follows", async () => {
    expect((await broadcast(accepted, JSON.stringify(transfer), "?trace=true")).json).toEqual({
      ...transfer,
      trace: [],
    });
  });

  const address = new Uint8Array(26) as Uint8Array as Address;
  const faults: readonly (readonly [fault: TransactionViolation, error: number, rest: object])[] = [
    [
      { code: "leaseUnknown", leaseId: new Uint8Array(32) as Uint8Array as LeaseId },
      112,
      {
        message: "State check failed. Reason: Lease with id=11111111111111111111111111111111 not found",
        transaction: transfer,
        trace: [],
      },
    ],
    [
      {
        code: "balancesInvalid",
        problems: [{ kind: "negativeWaves", account: address, before: 5n, after: -1n }],
      },
      112,
      {
        message: "State check failed. Reason: Accounts balance errors",
        details: {
          "11111111111111111111111111": "negative waves balance: 11111111111111111111111111, old: 5, new: -1",
        },
        transaction: transfer,
        trace: [],
      },
    ],
    [
      { code: "timestampFromPast", timestamp: 0n, limitMs: 7_200_000n, previousBlockTimestamp: 9n },
      303,
      {
        message:
          "Transaction timestamp 0 is more than 7200000ms in the past relative to previous block timestamp Some(9)",
        trace: [],
      },
    ],
    [
      { code: "alreadyInState", transactionId: new Uint8Array(32) as never, height: 5 },
      112,
      {
        message:
          "State check failed. Reason: Transaction 11111111111111111111111111111111 is already in the state on a height of 5",
        transaction: transfer,
        trace: [],
      },
    ],
  ];
  test.each(faults.map(([fault, error, rest]) => ({ code: fault.code, fault, error, rest })))(
    "the refusal $code is error $error",
    async ({ fault, error, rest }) => {
      const { status, json } = await broadcast(refused(fault), JSON.stringify(transfer), "?trace=true");
      expect(status).toBe(400);
      expect(json).toEqual({ error, ...rest });
    },
  );

  const wrong: readonly (readonly [body: string, status: number, error: number])[] = [
    ["{", 400, 1],
    ["[]", 400, 1],
    ['{"type":4}', 400, 1],
    ['{"type":18}', 501, 312],
    ['{"type":99}', 400, 199],
    [JSON.stringify({ ...transfer, chainId: 87 }), 400, 404],
    [JSON.stringify({ ...transfer, amount: 0 }), 400, 115],
    [JSON.stringify({ ...transfer, fee: 0 }), 400, 112],
  ];
  test.each(wrong)(
    "the body %s is refused before ChainState is asked: status %i, error %i",
    async (body, status, error) => {
      const answer = await broadcast(accepted, body);
      expect(answer.status).toBe(status);
      expect(answer.json["error"]).toBe(error);
      expect(answer.sent).toEqual([]);
    },
  );
});

describe("the way from the pool to the chain", () => {
  const pending = encodeProtobuf(transactionFromJson(parseJson(JSON.stringify(transfer)), chainId));

  test("a transaction of the pool is listed without what the chain adds", async () => {
    const chainState = {
      unconfirmedIds: async () => encodeIdList([decodeBase58(String(transfer["id"]))]),
      someUnconfirmed: async () => [pending],
      findUnconfirmed: async () => pending,
      unconfirmedCount: async () => 1,
    };
    const node = testNode({ database, network, chainState });
    const get = async (path: string) => (await node.fetch(path)).json();
    expect(await get("/transactions/unconfirmed")).toEqual([transfer]);
    expect(await get(`/transactions/unconfirmed/info/${String(transfer["id"])}`)).toEqual(transfer);
    expect(await get("/transactions/unconfirmed/size")).toEqual({ size: 1 });
  });

  test("a long pool is listed in parts, without those that have left it since the list was begun", async () => {
    const ids = Array.from({ length: 1_200 }, (_, number) => new Uint8Array(32).fill(number % 3));
    const parts: number[] = [];
    const chainState = {
      unconfirmedIds: async () => encodeIdList(ids),
      someUnconfirmed: async (asked: Uint8Array[]) => {
        const part = asked.slice(0, 400);
        parts.push(part.length);
        return part.map(([first]) => (first === 0 ? undefined : pending));
      },
    };
    const node = testNode({ database, network, chainState });
    const list = (await (await node.fetch("/transactions/unconfirmed")).json()) as unknown[];
    expect(list).toEqual(Array.from({ length: 800 }, () => transfer));
    expect(parts).toEqual([400, 400, 400]);
  });

  test("a transaction that leaves the pool for the chain between two looks is found", async () => {
    const id = recordedTransfer.id;
    let looks = 0;
    // The first read of the chain precedes the block, the second follows it.
    const session = database.withSession();
    const methods = {
      prepare: (sql: string) => session.prepare(sql),
      batch: (statements: D1PreparedStatement[]) => {
        looks++;
        const missed = statements.map((statement, index) =>
          looks === 1 && index > 0 ? session.prepare("SELECT 1 WHERE 0").bind() : statement,
        );
        return session.batch(missed);
      },
      getBookmark: () => null,
    };
    const late = { ...methods, withSession: () => methods } as unknown as D1Database;
    const node = testNode({ database: late, network });
    const status = (await (await node.fetch(`/transactions/status/${id}`)).json()) as { status: string };
    expect(status.status).toBe("confirmed");
    expect(looks).toBe(2);
  });

  test("an unknown id is queried once in half a second, until it is broadcast", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const asked: number[] = [];
    const chainState = {
      areUnconfirmed: async (ids: Uint8Array[]) => {
        asked.push(ids.length);
        return ids.map(() => false);
      },
    };
    const node = testNode({ database, network, chainState });
    const status = async (...ids: string[]) => {
      const body = JSON.stringify({ ids });
      const init = { method: "POST", headers: { "Content-Type": "application/json" }, body };
      const list = (await (await node.fetch("/transactions/status", init)).json()) as { status: string }[];
      return list.map((item) => item.status);
    };
    const body = JSON.stringify({ ...transfer, timestamp: Number(transfer["timestamp"]) + 1 });
    const id = encodeBase58(transactionFromJson(parseJson(body), chainId).id);
    expect(await status(id, unknownId)).toEqual(["not_found", "not_found"]);
    expect(await status(unknownId, id)).toEqual(["not_found", "not_found"]);
    expect(asked).toEqual([2]);
    const init = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    expect((await node.fetch("/transactions/broadcast", init)).status).toBe(200);
    await status(unknownId, id);
    expect(asked).toEqual([2, 1]);
    vi.advanceTimersByTime(500);
    await status(unknownId, id);
    expect(asked).toEqual([2, 1, 2]);
  });

  test("a list tells confirmed, waiting and unknown ones apart, in order and with repetitions", async () => {
    const chainState = { areUnconfirmed: async (ids: Uint8Array[]) => ids.map((id) => encodeBase58(id) === unknownId) };
    const node = testNode({ database, network, chainState });
    const ids = [unknownId, recordedTransfer.id, "abc", unknownId];
    const response = await node.fetch("/transactions/status", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ids }),
    });
    const list = (await response.json()) as { status: string; id: string }[];
    expect(list.map((item) => item.id)).toEqual(ids);
    expect(list.map((item) => item.status)).toEqual(["unconfirmed", "confirmed", "not_found", "unconfirmed"]);
  });
});

/**
 * Challenging block and the two accounts as clients and scripts see them: see
 * `test/scenarios/chain/challenges.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { d1Sink } from "../../../durable/chain-state/publish/read-model-sink.ts";
import { addressText } from "../../../src/crypto/address.ts";
import { encodeBase58 } from "../../../src/crypto/base58.ts";
import { secureRandomBytes } from "../../../src/crypto/random.ts";
import { privateNetwork } from "../../../src/network/networks/private.ts";
import type { Block } from "../../../src/protocol/blocks/block.ts";
import { jsonText } from "../../../src/protocol/json.ts";
import { buildTransaction } from "../../../src/protocol/transactions/build-transaction.ts";
import type { CallArgument, Transaction } from "../../../src/protocol/transactions/transaction.ts";
import { TransactionType } from "../../../src/protocol/transactions/transaction-type.ts";
import { MAX_AGE_MS } from "../../../src/read-model/latest-state.ts";
import { BlockForger } from "../../../verification/chain-generator/block-forger.ts";
import { type GeneratedAccount, makeAccounts } from "../../../verification/chain-generator/generated-accounts.ts";
import { makeNetwork } from "../../../verification/chain-generator/generated-network.ts";
import { SeededRandom } from "../../../verification/chain-generator/seeded-random.ts";
import { SimulatedNode } from "../../../verification/simulation/simulated-node.ts";
import { d1Double } from "../../../verification/sqlite/d1-double.ts";
import { compiled } from "../../support/builders/dapps.ts";
import { signedBy } from "../../support/builders/signed-by.ts";
import { type TestNode, testNode } from "../../support/builders/test-node.ts";

const blocks = new BlockForger(secureRandomBytes);
const { chainId } = privateNetwork.blockchain;
const accounts = makeAccounts(1, chainId);
const [forger, challenged, challenger] = accounts.generators as [GeneratedAccount, GeneratedAccount, GeneratedAccount];
const dApp = accounts.users[0] as GeneratedAccount;
const caller = accounts.users[1] as GeneratedAccount;
const network = makeNetwork("active", 1, { blocks: 10, random: new SeededRandom("challenges"), accounts });
/** Height of the challenging block. */
const HEIGHT = 4;

/** Stores the data that the script reads of both accounts. */
const script = compiled(
  6,
  `func entries(name: String, account: ByteVector) = {
     let balance = wavesBalance(Address(account))
     [
       IntegerEntry(name + " regular", balance.regular),
       IntegerEntry(name + " effective", balance.effective),
       IntegerEntry(name + " generating", balance.generating)
     ]
   }
   @Callable(i)
   func look(challenged: ByteVector, challenger: ByteVector) =
     entries("challenged", challenged) ++ entries("challenger", challenger)
   @Callable(i)
   func show(h: Int) = {
     let block = value(blockInfoByHeight(h))
     [
       IntegerEntry("timestamp", block.timestamp),
       IntegerEntry("base target", block.baseTarget),
       BinaryEntry("generation signature", block.generationSignature),
       BinaryEntry("generator", block.generatorPublicKey),
       BinaryEntry("vrf", value(block.vrf))
     ]
   }`,
);

const common = { chainId, feeAsset: null, proofs: [] };
function setScript(timestamp: bigint): Transaction {
  const fields = { type: TransactionType.SetScript, version: 2, fee: 10_000_000n, script } as const;
  return signedBy(dApp, buildTransaction({ ...common, ...fields, sender: dApp.publicKey, timestamp }));
}
function callOf(name: string, args: readonly CallArgument[], timestamp: bigint): Transaction {
  const fields = { type: TransactionType.InvokeScript, version: 2, fee: 900_000n, payments: [] } as const;
  const recipient = { kind: "address", address: dApp.address } as const;
  const call = { call: { function: name, args }, dApp: recipient, sender: caller.publicKey, timestamp };
  return signedBy(caller, buildTransaction({ ...common, ...fields, ...call }));
}
const look = (timestamp: bigint) =>
  callOf(
    "look",
    [challenged, challenger].map(({ address }) => ({ type: "binary", value: address }) as const),
    timestamp,
  );

interface Balances {
  readonly regular: number;
  readonly effective: number;
  readonly generating: number;
}

/** Values that the interface and the script returned at a height. */
interface Observation {
  readonly challenged: Balances;
  readonly challenger: Balances;
  readonly byScript: Readonly<Record<string, number>>;
  readonly effective: readonly number[];
  readonly lowest: readonly number[];
}

let node: SimulatedNode;
let worker: TestNode;
let challenging: Block;
const observations = new Map<number, Observation>();

async function getResult<Answer>(path: string): Promise<Answer> {
  return (await (await worker.fetch(path)).json()) as Answer;
}

async function observe(): Promise<Observation> {
  const both = [challenged, challenger].map(({ address }) => addressText(address));
  const [ofChallenged, ofChallenger] = await Promise.all(
    both.map((account) => getResult<Balances>(`/addresses/balance/details/${account}`)),
  );
  const balanceAt = async (path: string) => (await getResult<{ balance: number }>(path)).balance;
  const entries = await getResult<{ key: string; value: number }[]>(`/addresses/data/${addressText(dApp.address)}`);
  return {
    challenged: ofChallenged as Balances,
    challenger: ofChallenger as Balances,
    byScript: Object.fromEntries(entries.map(({ key, value }) => [key, value])),
    effective: await Promise.all(both.map((account) => balanceAt(`/addresses/effectiveBalance/${account}`))),
    lowest: await Promise.all(both.map((account) => balanceAt(`/addresses/effectiveBalance/${account}/1000`))),
  };
}

async function append(block: Block): Promise<void> {
  node.append(block);
  await node.node.drain();
  // A state counts as the newest for a moment.
  vi.setSystemTime(Date.now() + 2 * MAX_AGE_MS);
  observations.set(node.height, await observe());
}

beforeAll(async () => {
  const { d1 } = d1Double();
  const { blockchain } = network.settings;
  const startMs = Number(blockchain.genesis.blockTimestampMs) + 1_000_000;
  vi.useFakeTimers({ toFake: ["Date"], now: startMs });
  node = new SimulatedNode({ blockchain, startMs, readModel: d1Sink(d1) });
  worker = testNode({ database: d1, network: jsonText(network.json), variables: { WAITS_FOR_RUNNER: "yes" } });
  const { chain } = node;
  const now = () => chain.stored.tip().timestamp;
  await append(blocks.valid(chain, { key: forger, transactions: [setScript(now())] }));
  await append(blocks.valid(chain, { key: forger, transactions: [look(now())] }));
  const original = blocks.wrong(chain, {
    key: challenged,
    transactions: [look(now())],
    rewardVote: 500_000_000n,
    featureVotes: [3],
  });
  challenging = blocks.challenging(chain, original, { key: challenger, rewardVote: 700_000_000n });
  await append(challenging);
});
afterAll(() => vi.useRealTimers());

/** Members of a challenge in all forms of a block. */
function expectChallenge(json: unknown): void {
  const { header, id } = challenging;
  const original = header.challengedHeader as NonNullable<typeof header.challengedHeader>;
  expect(json).toMatchObject({
    id: encodeBase58(id),
    generator: addressText(challenger.address),
    generatorPublicKey: encodeBase58(challenger.publicKey),
    stateHash: encodeBase58(header.stateHash as Uint8Array),
    desiredReward: 700_000_000,
    challengedHeader: {
      headerSignature: encodeBase58(original.headerSignature),
      features: [3],
      generator: addressText(challenged.address),
      generatorPublicKey: encodeBase58(challenged.publicKey),
      desiredReward: 500_000_000,
      stateHash: encodeBase58(original.stateHash as Uint8Array),
    },
  });
}

describe("a challenging block", () => {
  const generator = addressText(challenger.address);
  const paths = (id: string): readonly string[] => [
    `/blocks/at/${HEIGHT}`,
    `/blocks/seq/${HEIGHT}/${HEIGHT}`,
    `/blocks/address/${generator}/${HEIGHT}/${HEIGHT}`,
    `/blocks/headers/at/${HEIGHT}`,
    `/blocks/headers/seq/${HEIGHT}/${HEIGHT}`,
    `/blocks/headers/${id}`,
    `/blocks/${id}`,
  ];

  test("is told with the header that it challenges, as the tip and below it (NODE-914)", async () => {
    const id = encodeBase58(challenging.id);
    for (const path of ["/blocks/last", "/blocks/headers/last"]) expectChallenge(await getResult(path));
    const askAll = async () => {
      for (const path of paths(id)) {
        const answer = await getResult<unknown>(path);
        expectChallenge(Array.isArray(answer) ? answer[0] : answer);
      }
      expect(await getResult(`/blocks/height/${id}`)).toEqual({ height: HEIGHT });
    };
    await askAll();
    const at = node.chain.stored.tip().timestamp;
    const show = callOf("show", [{ type: "integer", value: BigInt(HEIGHT) }], at);
    await append(blocks.valid(node.chain, { key: forger, transactions: [look(at), show] }));
    await askAll();
  });

  test("is what scripts see at its height (NODE-907)", async () => {
    const entry = async (key: string) =>
      (await getResult<{ value: unknown }>(`/addresses/data/${addressText(dApp.address)}/${encodeURIComponent(key)}`))
        .value;
    const base64 = (bytes: Uint8Array) => `base64:${Buffer.from(bytes).toString("base64")}`;
    const { header } = challenging;
    expect(await entry("timestamp")).toBe(Number(header.timestamp));
    expect(await entry("base target")).toBe(Number(header.baseTarget));
    expect(await entry("generation signature")).toBe(base64(header.generationSignature));
    expect(await entry("generator")).toBe(base64(challenger.publicKey));
    expect(await entry("vrf")).toBe(base64(node.chain.stored.rowAt(HEIGHT).vrf as Uint8Array));
  });
});

describe("balances", () => {
  test("of the challenged account count nothing at that height, and are 0 for generating behind it (NODE-906, 918)", () => {
    const [before, at, behind] = [3, 4, 5].map((height) => observations.get(height)?.challenged) as [
      Balances,
      Balances,
      Balances,
    ];
    const { regular } = before;
    expect(before).toMatchObject({ effective: regular, generating: regular });
    expect(at).toMatchObject({ regular, available: regular, effective: 0, generating: 0 });
    expect(behind).toMatchObject({ regular, effective: regular, generating: 0 });
  });

  test("of the challenger grow by what it earns, and for generating not at all", () => {
    const [before, at, behind] = [3, 4, 5].map((height) => observations.get(height)?.challenger) as [
      Balances,
      Balances,
      Balances,
    ];
    expect(at.regular).toBeGreaterThan(before.regular);
    expect(at.effective).toBe(at.regular);
    expect(behind).toMatchObject({ regular: at.regular, effective: at.regular });
    for (const { generating } of [before, at, behind]) expect(generating).toBe(before.regular);
  });

  test.each([3, 4, 5])("are the same by all routes at height %i", (height) => {
    const { effective, lowest, ...details } = observations.get(height) as Observation;
    const both = [details.challenged, details.challenger];
    expect(effective).toEqual(both.map((balances) => balances.effective));
    expect(lowest).toEqual(both.map(({ generating }) => generating));
  });

  test("are what scripts hear, in the challenging block and behind it (NODE-906)", () => {
    for (const height of [3, 4, 5]) {
      const { byScript, ...all } = observations.get(height) as Observation;
      const { regular, effective, generating } = all.challenged;
      expect(byScript).toMatchObject({
        "challenged regular": regular,
        "challenged effective": effective,
        "challenged generating": generating,
        "challenger generating": all.challenger.generating,
      });
      // Within its block it does not have its share of this transaction's fee yet.
      const share = height === 4 ? (900_000 / 5) * 2 : 0;
      expect(byScript["challenger regular"]).toBe(all.challenger.regular - share);
      expect(byScript["challenger effective"]).toBe(all.challenger.effective - share);
    }
  });
});

/** Headers of the recorded chain private-a with the reference's responses about them. */
import { parseNetwork, parseSettingsJson } from "../../../src/network/parse-network.ts";
import { fixtureText, recordedLines } from "../../recorded-lines.ts";

export interface RecordedHeader {
  readonly version: number;
  readonly timestamp: number;
  readonly height: number;
  readonly id: string;
  readonly generator: string;
  readonly generatorPublicKey: string;
  readonly "nxt-consensus": { readonly "base-target": number; readonly "generation-signature": string };
  readonly features?: readonly number[];
  readonly desiredReward?: number;
  readonly reward: number;
  readonly rewardShares: Readonly<Record<string, number>>;
  readonly stateHash?: string;
  readonly VRF?: string;
}

export interface RecordedRewards {
  readonly height: number;
  readonly totalWavesAmount: number | bigint;
  readonly currentReward: number;
  readonly minIncrement: number;
  readonly term: number;
  readonly nextCheck: number;
  readonly votingIntervalStart: number;
  readonly votingInterval: number;
  readonly votingThreshold: number;
  readonly votes: { readonly increase: number; readonly decrease: number };
}

export interface RecordedActivation {
  readonly height: number;
  readonly votingInterval: number;
  readonly votingThreshold: number;
  readonly nextCheck: number;
  readonly features: readonly { readonly id: number; readonly activationHeight?: number }[];
}

interface Exchange {
  readonly path: string;
  readonly status: number;
  readonly response: string;
}

const exchanges = recordedLines<Exchange>("private-a/headers.jsonl.gz").filter(({ status }) => status === 200);

/** Responses to paths with a prefix; large integers are exact. */
const answers = <Answer>(prefix: string): Answer[] =>
  exchanges.filter(({ path }) => path.startsWith(prefix)).map(({ response }) => parseSettingsJson(response) as Answer);

const recordedNetwork = parseNetwork(parseSettingsJson(fixtureText("private-a/network.json")), "private-a");

export const { blockchain, node } = recordedNetwork;

/** Headers by height; undefined at 0. */
export const headers: readonly (RecordedHeader | undefined)[] = answers<RecordedHeader>("/blocks/headers/at/").reduce<
  (RecordedHeader | undefined)[]
>((sorted, header) => {
  sorted[header.height] = header;
  return sorted;
}, []);

export const rewards = answers<RecordedRewards>("/blockchain/rewards/");

export const activation = answers<RecordedActivation>("/activation/status")[0] as RecordedActivation;

export function headerAt(height: number): RecordedHeader {
  const header = headers[height];
  if (header === undefined) throw new Error(`no header was recorded at height ${height}`);
  return header;
}

export const tipHeight = headers.length - 1;

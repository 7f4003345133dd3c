/** Families of hostile cases: dApps of one kind with calls of them, or requests of one kind. */
import type { SeededRandom } from "../../chain-maker/seeded-random.ts";
import type { FuzzCall } from "../dapp-writer.ts";

export interface FamilyDApp {
  readonly libraryVersion: number;
  readonly script: Uint8Array;
  readonly calls: readonly FamilyCall[];
  /** Calls that bring a reference node into the state that this node stands for. */
  readonly before?: readonly FuzzCall[];
}

export interface FamilyCall extends FuzzCall {
  /** What is special about the case. */
  readonly note: string;
}

export interface FuzzFamily {
  readonly name: string;
  readonly summary: string;
  /** Other words for the same failure are no difference: they are a platform's, and not always the same one's. */
  readonly messages?: "any";
  /** @param count of calls in all dApps together */
  readonly dApps: (random: SeededRandom, count: number) => readonly FamilyDApp[] | Promise<readonly FamilyDApp[]>;
}

/** Families of requests that both nodes answer over HTTP. */
export interface RequestFamily {
  readonly name: string;
  readonly summary: string;
  readonly requests: (random: SeededRandom, count: number) => Promise<readonly FamilyRequest[]>;
}

export interface FamilyRequest {
  readonly path: string;
  readonly mediaType: "text/plain" | "application/json";
  readonly body: string;
}

export function binaryArgument(bytes: Uint8Array): FuzzCall["args"][number] {
  return { type: "binary", value: `base64:${Buffer.from(bytes).toString("base64")}` };
}

/**
 * The way between PeerHub and the local runner, which alone can listen, and knows the names of its machine: a port of this machine.
 * Whoever connects sends a line; what follows depends on it.
 */
import * as z from "zod";
import { parseForm } from "./parse-network.ts";

/** Where the runner waits for PeerHub: the binding `PEER_BRIDGE`. */
export interface PeerBridge {
  readonly port: number;
  /** Begins each line: nobody else gets anything. */
  readonly token: string;
}

const form = z.object({ port: z.int(), token: z.string() });

/** @param binding JSON @throws NetworkSettingsError */
export function parsePeerBridge(binding: string): PeerBridge {
  return parseForm(form, JSON.parse(binding));
}

/** What PeerHub wants. */
export type BridgeRequest =
  /** The connection of this number that another node has made: what follows goes through as it is. */
  | { readonly kind: "accept"; readonly id: string }
  /** Addresses of a host: a line with commas between them comes, and the end. */
  | { readonly kind: "resolve"; readonly id: string };

/** Of a line, its end included. */
export const MAX_BRIDGE_LINE_BYTES = 512;

export function bridgeLine({ token }: PeerBridge, { kind, id }: BridgeRequest): string {
  return `${token} ${kind} ${id}\n`;
}

/** @param line without its end @returns undefined: it is none that knows the token */
export function parseBridgeLine({ token }: PeerBridge, line: string): BridgeRequest | undefined {
  const [given, kind, id, ...more] = line.split(" ");
  if (given !== token || id === undefined || more.length > 0) return undefined;
  return kind === "accept" || kind === "resolve" ? { kind, id } : undefined;
}

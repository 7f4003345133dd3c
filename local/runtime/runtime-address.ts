/** Addresses of the runtime, which only this process may reach. */
import path from "node:path";

/** A socket in a folder that only this user reads, or a port of this machine. */
export type RuntimePlace = { readonly socketPath: string } | { readonly host: string; readonly port: number };

export interface RuntimeAddress {
  readonly place: RuntimePlace;
  /** Sent with each request: a port wants the token of this start. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Longest path of a Unix socket on macOS; Linux takes four bytes more. */
const MAX_SOCKET_PATH_BYTES = 103;
/** Room for a name and the number of a start. */
const NAME_BYTES = 24;

/** Whether the runtime can listen on sockets in the folder. On Windows it has none. */
export function canHoldSockets(folder: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform !== "win32" && Buffer.byteLength(folder) + NAME_BYTES <= MAX_SOCKET_PATH_BYTES;
}

/** Path of a socket; each start of the runtime has its own, so that no request reaches another runtime than it was sent to. */
export function socketPath(folder: string, name: string, start: number): string {
  return path.join(folder, `${name}-${start}.sock`);
}

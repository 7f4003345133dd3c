/** Addresses of the runtime, which only this process may use. */
import path from "node:path";

/** A socket in a folder that only this user can read, or a port of this machine. */
export type RuntimeEndpoint = { readonly socketPath: string } | { readonly host: string; readonly port: number };

export interface RuntimeAddress {
  readonly endpoint: RuntimeEndpoint;
  /** Headers of each request: a port requires the token of this start. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Longest path of a Unix socket on macOS; Linux allows four bytes more. */
const MAX_SOCKET_PATH_BYTES = 103;
/** Room for a name and the number of a start. */
const NAME_BYTES = 24;

/** Whether the runtime can listen on Unix sockets in the folder; on Windows it cannot. */
export function supportsSockets(folder: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform !== "win32" && Buffer.byteLength(folder) + NAME_BYTES <= MAX_SOCKET_PATH_BYTES;
}

/** Path of a socket. Each start of the runtime has its own, so that no request reaches a later runtime. */
export function socketPath(folder: string, name: string, start: number): string {
  return path.join(folder, `${name}-${start}.sock`);
}

import { createServer } from "node:net";
import { UsageError } from "../cli/usage-error.ts";

/** A node that is just stopping may need this long to release its port. */
const WAIT_TIMEOUT_MS = 1_000;

/**
 * Checks that a port can be listened on, because the runtime's own error is less clear.
 * @returns the port; for port 0, a free one
 * @throws UsageError when the port is taken or not allowed, or the address is not this machine's
 */
export async function findFreePort(host: string, port: number): Promise<number> {
  const deadlineMs = performance.now() + WAIT_TIMEOUT_MS;
  for (;;) {
    try {
      return await listenOnce(host, port);
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!isTaken || performance.now() > deadlineMs) {
        throw portRefused(error as NodeJS.ErrnoException, host, port);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Whether a port can be listened on. @returns the port @throws the system's error */
export function listenOnce(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : port));
    });
  });
}

/** User message of a port that cannot be listened on. @param flag that chooses the port */
export function portRefused(error: NodeJS.ErrnoException, host: string, port: number, flag = "--port"): UsageError {
  return new UsageError(explain(error, host, port, flag));
}

function explain(error: NodeJS.ErrnoException, host: string, port: number, flag: string): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is taken by another program: stop it, or give another ${flag}.`;
    case "EACCES":
      return `Port ${port} on ${host} may not be used by this user: give another ${flag}.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `--host ${host} is not an address of this machine.`;
    default:
      return `Port ${port} on ${host} cannot be listened on: ${error.message}.`;
  }
}

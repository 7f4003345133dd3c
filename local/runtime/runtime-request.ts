import { request } from "node:http";
import type { OperatorRequest } from "./chain-operator.ts";
import type { RuntimeAddress } from "./runtime-address.ts";

/**
 * Requests to the runtime that bypass the front server. `fetch` would give up on responses that take minutes.
 * @param findAddress called for each request: a restarted runtime has another address
 */
export function runtimeRequest(findAddress: () => Promise<RuntimeAddress>): OperatorRequest {
  return async (method, path, body) => {
    const { endpoint, headers } = await findAddress();
    return new Promise((resolve, reject) => {
      const options = { ...endpoint, path, method, headers: { host: "node", ...headers }, agent: false };
      const outgoing = request(options, (answer) => {
        const pieces: Buffer[] = [];
        answer.on("data", (piece: Buffer) => pieces.push(piece));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString() }));
        answer.on("error", reject);
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  };
}

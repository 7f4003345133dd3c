import { request } from "node:http";
import type { OperatorRequest } from "./chain-operator.ts";

/**
 * Requests over HTTP to the operator's Worker. Not `fetch`, which gives up on answers that take minutes.
 * @param findUrl asked for each time: a runtime that crashed comes back on another port
 */
export function operatorRequest(findUrl: () => Promise<URL>, token: string): OperatorRequest {
  return async (method, path, body) => {
    const url = new URL(path, await findUrl());
    return new Promise((resolve, reject) => {
      const headers = { authorization: token };
      const outgoing = request(url.href, { method, headers, agent: false }, (answer) => {
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

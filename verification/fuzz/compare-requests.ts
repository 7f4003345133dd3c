/** Sends the same requests to this node and to a reference. */
import { isJsonObject, type ParsedObject, parseJson } from "../../src/protocol/parse-json.ts";
import { findDifference } from "../json-difference.ts";
import type { ComparisonResult } from "./compare-cases.ts";
import type { FamilyRequest } from "./families/family.ts";

const lanes = 4;
/** Status of a failure of the reference, where any response of this node is accepted. */
const failed = 500;
/** Object identities, and unknown fields of a dApp's meta. */
const printedByMachine = /ByteString@[0-9a-f]+|UnknownFieldSet\(Map\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)/g;

interface NodeResponse {
  readonly status: number;
  readonly json: ParsedObject;
}

/** @param urls of both nodes */
export async function compareRequests(
  requests: Iterable<FamilyRequest>,
  urls: { readonly reference: string; readonly node: string },
  result: ComparisonResult,
): Promise<void> {
  const waiting = requests[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      const [expected, got] = await Promise.all([post(urls.reference, next.value), post(urls.node, next.value)]);
      result.compared++;
      const difference = findResponseDifference(expected, got);
      if (difference !== undefined) result.differences.push(`${next.value.path}: ${difference}\n${next.value.body}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

function findResponseDifference(expected: NodeResponse, got: NodeResponse): string | undefined {
  if (expected.status === failed) {
    return got.status < failed ? undefined : `status ${got.status}`;
  }
  return findDifference(expected.json, got.json, new Set());
}

async function post(url: string, { path, mediaType, body }: FamilyRequest): Promise<NodeResponse> {
  const response = await fetch(url.replace(/\/$/, "") + path, {
    method: "POST",
    headers: { "Content-Type": mediaType },
    body,
  });
  const json = parseJson((await response.text()).replace(printedByMachine, ""));
  return { status: response.status, json: isJsonObject(json) ? json : { json } };
}

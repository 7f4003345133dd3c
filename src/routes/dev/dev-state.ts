/** State of a dev chain as its owner handles it: snapshots, reverts, and files. */
import * as z from "zod";
import type { DevTipResult } from "../../env.ts";
import { ApiError } from "../../http/api-error.ts";
import { FILE_PATH, maxFileSizeBytes } from "../../http/file-body.ts";
import { mismatch } from "../../http/kind.ts";
import { anyFile, type BodyReader, checkedMembers, fileType } from "../../http/request-body.ts";
import { json, momentary, type RouteResponse } from "../../http/route-response.ts";
import { int32 } from "../../http/schema.ts";
import { route } from "../../services/context.ts";
import { devTip, namedSnapshot, newSnapshot, snapshotInfo } from "../schemas/dev.ts";
import { unwrapDevResult } from "./dev-result.ts";
import { dumpedFile, FileUnreadable, loadFile } from "./state-file.ts";

/** Responses wait until readers see the new chain. */
const timeLimitMs = 15 * 60_000;
const maxMegabytes = maxFileSizeBytes / 2 ** 20;

/** Treats a request without a body like one without members. */
function orNothing<Value>(body: BodyReader<Value>, nothing: Value): BodyReader<Value> {
  return {
    ...body,
    isOptional: true,
    read: async (request) => ((await request.text()) === "" ? nothing : body.read(request)),
  };
}

function devTipResponse(result: DevTipResult): RouteResponse {
  const { height, timeMs } = unwrapDevResult(result);
  return json({ height, time: timeMs }, momentary);
}

const snapshot = route({
  method: "POST",
  path: "/dev/snapshot",
  dependsOn: "node",
  isPrivate: true,
  timeLimitMs,
  body: orNothing(checkedMembers(newSnapshot), {}),
  description: {
    tag: "dev",
    summary: "Save the state",
    notes:
      "Chain, pool, wallet and clock. Without a name it gets the next number; an earlier snapshot with the name is dropped. At most 100 are stored.",
    response: snapshotInfo,
    errors: ["requestInvalid"],
  },
  handle: async ({ body: { name }, chainState }) => {
    const { name: taken, height } = unwrapDevResult(await chainState.dev.snapshot(name));
    return json({ name: taken, height }, momentary);
  },
});

const revert = route({
  method: "POST",
  path: "/dev/revert",
  dependsOn: "node",
  isPrivate: true,
  timeLimitMs,
  body: checkedMembers(namedSnapshot),
  description: {
    tag: "dev",
    summary: "Revert to a saved state",
    notes: "Of any age. The snapshot stays, those taken later are dropped.",
    response: devTip,
    errors: ["requestInvalid"],
  },
  handle: async ({ body: { name }, chainState }) => devTipResponse(await chainState.dev.revert(name)),
});

const reset = route({
  method: "POST",
  path: "/dev/reset",
  dependsOn: "node",
  isPrivate: true,
  timeLimitMs,
  description: {
    tag: "dev",
    summary: "Revert to the start",
    notes: "The state before the first transaction, after the blocks of an import. All snapshots are dropped.",
    response: devTip,
    errors: ["requestInvalid"],
  },
  handle: async ({ chainState }) => devTipResponse(await chainState.dev.reset()),
});

const dump = route({
  method: "GET",
  path: "/dev/dump",
  dependsOn: "node",
  isPrivate: true,
  anyAccept: true,
  description: {
    tag: "dev",
    summary: "The whole state as a file",
    notes: "In the form of `/dev/load`. It contains no seeds and no keys.",
    response: { file: "Lines of JSON, compressed by gzip." },
  },
  handle: async ({ chainState }) => {
    const first = unwrapDevResult(await chainState.dev.dump(undefined));
    return { kind: "file", contentType: fileType, bytes: dumpedFile(first, chainState.dev) };
  },
});

const load = route({
  method: "POST",
  path: FILE_PATH,
  dependsOn: "node",
  isPrivate: true,
  timeLimitMs,
  body: anyFile,
  description: {
    tag: "dev",
    summary: "Replace the state by a dump",
    notes: `The dump must be from a node of the same network and release; at most ${maxMegabytes} MB. Snapshots stay.`,
    response: () => z.strictObject({ height: int32() }),
    errors: ["requestInvalid"],
  },
  handle: async ({ request, chainState }) => {
    const file = request.file();
    if (request.isTooLarge) throw tooLarge();
    if (file === undefined) return mismatch;
    const result = await loadFile(file, chainState.dev).catch((error: unknown) => {
      if (request.isTooLarge) throw tooLarge();
      if (error instanceof FileUnreadable)
        throw new ApiError({ code: "requestInvalid", message: "the file is no dump of a dev chain" }, { cause: error });
      throw error;
    });
    const { height } = unwrapDevResult(result);
    return json({ height }, momentary);
  },
});

function tooLarge(): ApiError {
  return new ApiError({ code: "requestInvalid", message: `a file may have ${maxMegabytes} MB` });
}

export const devStateRoutes = [snapshot, revert, reset, dump, load];

/** State of a dev chain as its owner handles it: snapshots, reverts, and files. */
import * as z from "zod";
import type { DevStand } from "../env.ts";
import { ApiError } from "../http/api-fault.ts";
import { FILE_PATH, maxFileSizeBytes } from "../http/file-body.ts";
import { mismatch } from "../http/kind.ts";
import { json, momentary, type Reply } from "../http/reply.ts";
import { anyFile, type BodyReader, checkedMembers, fileType } from "../http/request-body.ts";
import { int32 } from "../http/schema.ts";
import { route } from "./context.ts";
import { done } from "./dev-answer.ts";
import { namedSnapshot, newSnapshot, place, snapshotFacts } from "./schemas/dev.ts";
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

function placeReply(result: DevStand): Reply {
  const { height, timeMs } = done(result);
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
    summary: "Keep the state as it is",
    notes:
      "All of it: chain, pool, wallet, clock. Without a name it gets the next number; a snapshot that had the name is forgotten. 100 are kept at most.",
    answer: snapshotFacts,
    errors: ["requestInvalid"],
  },
  handle: async ({ body: { name }, chainState }) => {
    const { name: taken, height } = done(await chainState.dev.snapshot(name));
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
    summary: "Go back to a state",
    notes: "However long ago it was. The snapshot stays, those that were taken later are forgotten.",
    answer: place,
    errors: ["requestInvalid"],
  },
  handle: async ({ body: { name }, chainState }) => placeReply(await chainState.dev.revert(name)),
});

const reset = route({
  method: "POST",
  path: "/dev/reset",
  dependsOn: "node",
  isPrivate: true,
  timeLimitMs,
  description: {
    tag: "dev",
    summary: "Go back to the start",
    notes: "The state before the first transaction, behind the blocks of an import. Every snapshot is forgotten.",
    answer: place,
    errors: ["requestInvalid"],
  },
  handle: async ({ chainState }) => placeReply(await chainState.dev.reset()),
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
    notes: "As `/dev/load` takes it. No seed and no key is in it.",
    answer: { file: "Lines of JSON, compressed by gzip." },
  },
  handle: async ({ chainState }) => {
    const first = done(await chainState.dev.dump(undefined));
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
    summary: "Put a dumped state in this one's place",
    notes: `Of a node of the same network and release; at most ${maxMegabytes} MB. Snapshots stay.`,
    answer: () => z.strictObject({ height: int32() }),
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
    const { height } = done(result);
    return json({ height }, momentary);
  },
});

function tooLarge(): ApiError {
  return new ApiError({ code: "requestInvalid", message: `a file may have ${maxMegabytes} MB` });
}

export const devStateRoutes = [snapshot, revert, reset, dump, load];

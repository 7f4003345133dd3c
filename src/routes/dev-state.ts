/** The state of a dev chain in its owner's hands: kept, put back, written to a file and read from one. */
import * as z from "zod";
import type { DevRefusal, StatePutBack } from "../env.ts";
import { ApiError } from "../http/api-fault.ts";
import { mismatch } from "../http/kind.ts";
import { json, momentary, type Reply } from "../http/reply.ts";
import { type BodyReader, checkedMembers } from "../http/request-body.ts";
import { maxFileSizeBytes } from "../http/route-request.ts";
import { int32 } from "../http/schema.ts";
import { route } from "./context.ts";
import { timestamp } from "./schemas/values.ts";
import { dumpedFile, loadFile } from "./state-file.ts";

/** Whoever asks waits until readers see the chain as it then is. */
const timeLimitMs = 15 * 60_000;

const snapshotName = () => z.string().meta({ description: "1 to 200 characters." });

export const snapshotFacts = () => z.strictObject({ name: z.string(), height: int32() });
const place = () => z.strictObject({ height: int32(), time: timestamp() });

/** A request without a body says as much as one without members. */
function orNothing<Value>(body: BodyReader<Value>, nothing: Value): BodyReader<Value> {
  return {
    ...body,
    isOptional: true,
    read: async (request) => ((await request.text()) === "" ? nothing : body.read(request)),
  };
}

/** @throws ApiError where it was refused */
function done<Answer extends { readonly kind: string }>(answer: Answer | DevRefusal): Exclude<Answer, DevRefusal> {
  if (answer.kind === "refused")
    throw new ApiError({ code: "requestInvalid", message: (answer as DevRefusal).reason });
  return answer as Exclude<Answer, DevRefusal>;
}

function placeReply(answer: StatePutBack): Reply {
  const { height, timeMs } = done(answer);
  return json({ height, time: timeMs }, momentary);
}

const snapshot = route({
  method: "POST",
  path: "/dev/snapshot",
  dependsOn: "node",
  isPrivate: true,
  timeLimitMs,
  body: orNothing(
    checkedMembers(() => z.object({ name: snapshotName().optional() })),
    {},
  ),
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
  body: checkedMembers(() => z.object({ name: snapshotName() })),
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
    answer: { text: "Lines of JSON, compressed by gzip." },
  },
  handle: async ({ chainState }) => {
    const first = done(await chainState.dev.dump(undefined));
    return { kind: "file", contentType: "application/octet-stream", bytes: dumpedFile(first, chainState.dev) };
  },
});

const load = route({
  method: "POST",
  path: "/dev/load",
  dependsOn: "node",
  isPrivate: true,
  timeLimitMs,
  description: {
    tag: "dev",
    summary: "Put a dumped state in this one's place",
    notes: `Of a node of the same network and release; at most ${maxFileSizeBytes / 2 ** 20} MB. Snapshots stay.`,
    answer: () => z.strictObject({ height: int32() }),
    errors: ["requestInvalid"],
  },
  handle: async ({ request, chainState }) => {
    const file = request.file();
    if (file === undefined) return mismatch;
    const answer = await loadFile(file, chainState.dev).catch((error: unknown) => {
      throw unreadable(request.isTooLarge, error);
    });
    done(answer);
    const { height } = await chainState.dev.status();
    return json({ height }, momentary);
  },
});

/** What of a file that cannot be read is told; what is not its fault is thrown on. */
function unreadable(isTooLarge: boolean, error: unknown): unknown {
  const isOfFile = isTooLarge || error instanceof TypeError || error instanceof FileUnreadable;
  if (!isOfFile) return error;
  const message = isTooLarge
    ? `a file may have ${maxFileSizeBytes / 2 ** 20} MB`
    : "the file is no dump of a dev chain";
  return new ApiError({ code: "requestInvalid", message }, { cause: error });
}

export const devStateRoutes = [snapshot, revert, reset, dump, load];

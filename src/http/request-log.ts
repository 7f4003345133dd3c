/**
 * Where each request is told of, once it is answered: a data set of Workers Analytics Engine, lines of JSON in the log, or
 * nowhere. What is told is of the node and not of who asks: no address, query, header or body.
 */
import { NetworkSettingsError } from "../network/settings-error.ts";
import type { RequestWork, Tier } from "./request-work.ts";

/** An answered request. */
export interface RequestRecord {
  /** Of the row that answered, as its path is, such as `/blocks/at/:height`; empty where none took the request. */
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly tier: Tier;
  readonly d1Batches: number;
  readonly d1RowsRead: number;
  readonly kvReads: number;
  readonly kvWrites: number;
  readonly chainStateCalls: number;
  /** On Cloudflare the clock stands still but for what is waited for: an answer from memory takes 0. */
  readonly milliseconds: number;
}

export interface RequestLog {
  write(record: RequestRecord): void;
}

/** What a deployment says of it. */
export interface RequestLogBindings {
  readonly REQUESTS?: Pick<AnalyticsEngineDataset, "writeDataPoint">;
  readonly REQUEST_LOG?: string;
}

/** @returns undefined: nobody wants to know @throws NetworkSettingsError */
export function requestLogOf({
  REQUESTS: dataset,
  REQUEST_LOG: setting = "",
}: RequestLogBindings): RequestLog | undefined {
  const wantsLines = readSwitch(setting);
  const logs = [...(dataset === undefined ? [] : [analyticsLog(dataset)]), ...(wantsLines ? [lineLog] : [])];
  if (logs.length < 2) return logs[0];
  return {
    write: (record) => {
      for (const log of logs) log.write(record);
    },
  };
}

export function recordOf(
  work: RequestWork,
  { status, milliseconds }: { readonly status: number; readonly milliseconds: number },
): RequestRecord {
  const { route, tier, d1Batches, d1RowsRead, kvReads, kvWrites, chainStateCalls } = work;
  return {
    ...{ method: route?.method ?? "", route: route?.path ?? "", status, tier },
    ...{ d1Batches, d1RowsRead, kvReads, kvWrites, chainStateCalls, milliseconds },
  };
}

/** One index: it is by this that Cloudflare takes samples where there are too many points. */
function analyticsLog(dataset: Pick<AnalyticsEngineDataset, "writeDataPoint">): RequestLog {
  return {
    write: ({ method, route, tier, status, milliseconds, d1RowsRead, d1Batches, kvReads, kvWrites, chainStateCalls }) =>
      dataset.writeDataPoint({
        indexes: [route],
        blobs: [method, route, tier],
        doubles: [status, milliseconds, d1RowsRead, d1Batches, kvReads, kvWrites, chainStateCalls],
      }),
  };
}

// biome-ignore lint/suspicious/noConsole: a Worker's log is its console
const lineLog: RequestLog = { write: (record) => console.log(JSON.stringify(record)) };

const switches: Readonly<Record<string, boolean>> = { on: true, off: false, "": false };

function readSwitch(setting: string): boolean {
  const value = Object.hasOwn(switches, setting) ? switches[setting] : undefined;
  if (value === undefined) throw new NetworkSettingsError({ path: "REQUEST_LOG", got: setting, expected: "on or off" });
  return value;
}

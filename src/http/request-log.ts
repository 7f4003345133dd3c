/**
 * Record of each request after its response: in a data set of Workers Analytics Engine, as JSON lines in the log, or
 * none. It describes the node and not the client: it has no address, query, header or body.
 */
import { NetworkSettingsError } from "../network/settings-error.ts";
import type { RequestWork, Tier } from "./request-work.ts";

/** A request with a response. */
export interface RequestRecord {
  /** Method and path of the route, such as `/blocks/at/:height`; empty if no route took the request. */
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly tier: Tier;
  readonly d1Batches: number;
  readonly d1RowsRead: number;
  readonly kvReads: number;
  readonly kvWrites: number;
  readonly chainStateCalls: number;
  /** Duration. Cloudflare's clock advances only during waits: a response from memory takes 0. */
  readonly milliseconds: number;
}

export interface RequestLog {
  write(record: RequestRecord): void;
}

/** Settings of a deployment. */
export interface RequestLogBindings {
  readonly REQUESTS?: Pick<AnalyticsEngineDataset, "writeDataPoint">;
  readonly REQUEST_LOG?: string;
}

/** @returns undefined: no log is set @throws NetworkSettingsError */
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

/** The one index, by which Cloudflare samples if there are too many points. */
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

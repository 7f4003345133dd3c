/**
 * Metrics for the node's owner, collected by Prometheus. Counters are those of one isolate since its start: on
 * Cloudflare there are many, and a random one responds. For totals over all there is the request log.
 */
import type { NodeStatus, ObjectWork, PeersRpc } from "../env.ts";
import {
  histogramSamples,
  type Metric,
  prometheusContentType,
  prometheusText,
  type Sample,
} from "../http/prometheus-text.ts";
import { bucketsMs, type RequestCounters, type RequestSeries } from "../http/request-counters.ts";
import type { RouteResponse } from "../http/route-response.ts";
import type { IsolateMemory } from "../platform/isolate-memory.ts";
import { route } from "../services/context.ts";
import { type PublishedChain, publishedChain, readLagOf, type SeenPeers, seenPeers } from "./health.ts";

export interface MetricsInput {
  readonly counters: RequestCounters;
  readonly memory: Pick<IsolateMemory, "sizeBytes" | "limitBytes">;
  /** Undefined: ChainState did not respond. */
  readonly node: NodeStatus | undefined;
  readonly published: PublishedChain;
  readonly peers: SeenPeers;
  /** Number of blacklisted hosts; undefined: unknown. */
  readonly blacklisted: number | undefined;
}

/** Unknown values are left out. */
export function metricsOf({ counters, memory, node, published, peers, blacklisted }: MetricsInput): readonly Metric[] {
  const lag = readLagOf(node, published);
  const chain = "height" in published ? published : undefined;
  return [
    gauge("waves_chain_state_up", "1 when ChainState answers.", node === undefined ? 0 : 1),
    gauge("waves_height", "Height of the chain.", node?.height),
    gauge("waves_tip_timestamp_seconds", "Timestamp of the last block.", inSeconds(node?.tipTimestampMs)),
    gauge("waves_stopped", "1 when the owner has stopped the node.", node && Number(node.isStopped)),
    gauge("waves_pool_transactions", "Transactions in the pool.", node?.unconfirmed),
    gauge("waves_read_model_up", "1 when the read model shows a state of the chain.", chain === undefined ? 0 : 1),
    gauge("waves_read_model_height", "Height that readers see.", chain?.height),
    gauge("waves_read_model_epoch", "Grows when a final block was taken back by force.", chain?.epoch),
    gauge("waves_read_model_lag_blocks", "Blocks that readers do not see yet.", lag?.blocks),
    gauge(
      "waves_read_model_lag_seconds",
      "How long the oldest change waits that readers do not see yet; 0 when they see all.",
      inSeconds(lag?.milliseconds),
    ),
    ...peerGauges(peers, blacklisted),
    ...objectTotals(node?.work),
    gauge(
      "waves_isolate_start_seconds",
      "When the isolate that answers began to count; all that follows is of this one isolate.",
      inSeconds(counters.sinceMs),
    ),
    gauge("waves_isolate_memory_bytes", "What this isolate keeps of answers and final objects.", memory.sizeBytes),
    gauge("waves_isolate_memory_limit_bytes", "What it may keep.", memory.limitBytes),
    {
      name: "waves_kept_answers_total",
      help: "Requests to this isolate that only ask, by whether the whole answer was in its memory.",
      type: "counter",
      samples: Object.entries(counters.cacheResults).map(([result, value]) => ({ labels: { result }, value })),
    },
    {
      name: "waves_request_duration_seconds",
      help: "Requests to this isolate: route, status, the farthest tier that was asked, and time to the first byte.",
      type: "histogram",
      samples: durations(counters),
    },
    total(counters, "waves_request_d1_batches_total", "Round trips to D1 of this isolate.", "d1Batches"),
    total(counters, "waves_request_d1_rows_read_total", "Rows that D1 has read for this isolate.", "d1RowsRead"),
    total(counters, "waves_request_kv_reads_total", "Reads of KV of this isolate.", "kvReads"),
    total(counters, "waves_request_kv_writes_total", "Final objects that this isolate has put into KV.", "kvWrites"),
    total(counters, "waves_request_chain_state_calls_total", "Calls of ChainState by this isolate.", "chainStateCalls"),
  ];
}

function peerGauges(peers: SeenPeers, blacklisted: number | undefined): readonly Metric[] {
  if (peers === undefined) return [];
  const progress = peers === "unreachable" ? undefined : peers;
  return [
    gauge("waves_peer_hub_up", "1 when PeerHub answers.", progress === undefined ? 0 : 1),
    gauge("waves_peers_connected", "Nodes that this one is connected to.", progress?.connectedPeers),
    gauge("waves_peers_blacklisted", "Hosts that are shut out.", blacklisted),
    gauge("waves_blocks_ahead", "How many blocks the best peer has more.", progress?.blocksAhead),
  ];
}

async function countBlacklisted(peers: PeersRpc | undefined): Promise<number | undefined> {
  const hosts = await peers?.blacklisted().catch(() => undefined);
  return hosts?.length;
}

function objectTotals(work: ObjectWork | undefined): readonly Metric[] {
  const total = (name: string, help: string, value: number | undefined): Metric => ({
    ...gauge(`waves_chain_state_${name}_total`, `${help}, since the isolate of ChainState began.`, value),
    type: "counter",
  });
  return [
    total("requests", "Calls and alarms", work?.requests),
    total("active_seconds", "Time in which something was under way", inSeconds(work?.activeMs)),
    total("sql_rows_read", "Rows read in its own database", work?.sqlRowsRead),
    total("sql_rows_written", "Rows written in its own database, and alarms set", work?.sqlRowsWritten),
    total("d1_batches", "Batches of publication", work?.d1Batches),
    total("d1_rows_read", "Rows that D1 has read for publication", work?.d1RowsRead),
    total("d1_rows_written", "Rows that D1 has written for publication", work?.d1RowsWritten),
    total("kv_writes", "Final blocks put into KV", work?.kvWrites),
    total("kv_faults", "Those of them that KV did not take, and that are tried again", work?.kvErrors),
  ];
}

function gauge(name: string, help: string, value: number | undefined): Metric {
  return { name, help, type: "gauge", samples: value === undefined ? [] : [{ value }] };
}

/** @param of counter to add up; a series without any is left out */
function total(
  counters: RequestCounters,
  name: string,
  help: string,
  of: "d1Batches" | "d1RowsRead" | "kvReads" | "kvWrites" | "chainStateCalls",
): Metric {
  const samples = [...counters.series()]
    .filter((series) => series[of] > 0)
    .map((series): Sample => ({ labels: labelsOf(series), value: series[of] }));
  return { name, help, type: "counter", samples };
}

const boundsSeconds = bucketsMs.map((bound) => bound / 1000);

function* durations(counters: RequestCounters): Iterable<Sample> {
  for (const series of counters.series()) {
    const { counts, milliseconds } = series;
    yield* histogramSamples({ counts, sum: milliseconds / 1000 }, boundsSeconds, labelsOf(series));
  }
}

function labelsOf({ route: definition, statusClass, tier }: RequestSeries) {
  return { method: definition?.method ?? "", route: definition?.path ?? "", status: `${statusClass}xx`, tier };
}

function inSeconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

const metrics = route({
  method: "GET",
  path: "/metrics",
  dependsOn: "node",
  isPrivate: true,
  anyAccept: true,
  description: {
    tag: "node",
    summary: "Metrics for Prometheus",
    notes:
      "Heights, the lag of the read model, peers, and the resources used by requests to the responding isolate. Only this implementation has it.",
    response: { text: "Text format of Prometheus, version 0.0.4." },
  },
  handle: async (context): Promise<RouteResponse> => {
    const { chainState, model, memory, requests } = context;
    const [node, shown, peers, blacklisted] = await Promise.all([
      chainState.node.status().catch(() => undefined),
      publishedChain(model),
      seenPeers(context.peers),
      countBlacklisted(context.peers),
    ]);
    const { counters } = requests;
    const text = prometheusText(metricsOf({ counters, memory, node, published: shown, peers, blacklisted }));
    return {
      kind: "file",
      contentType: prometheusContentType,
      bytes: new TextEncoder().encode(text),
      headers: { "Cache-Control": "no-store" },
    };
  },
});

export const metricsRoutes = [metrics];

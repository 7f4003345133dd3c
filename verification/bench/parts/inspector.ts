/** Client of the inspector's protocol: CPU profiles of an isolate, and its memory. */
import { z } from "zod";

const targetsSchema = z.array(z.object({ id: z.string(), title: z.string(), webSocketDebuggerUrl: z.string() }));
const callFrameSchema = z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() });
const profileSchema = z.object({
  nodes: z.array(z.object({ id: z.number(), callFrame: callFrameSchema, children: z.array(z.number()).default([]) })),
  samples: z.array(z.number()),
  /** Microseconds before each sample. */
  timeDeltas: z.array(z.number()),
});
export type CpuProfile = z.infer<typeof profileSchema>;

const heapUsageSchema = z.object({
  /** Bytes on the heap, garbage included. */
  usedSize: z.number(),
  /** Buffers outside the heap, bytes. */
  backingStorageSize: z.number(),
});
export type HeapUsage = z.infer<typeof heapUsageSchema>;

const contextSchema = z.object({ context: z.object({ id: z.number() }) });
const messageSchema = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});
const samplingIntervalMicroseconds = 500;

export class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  #calls = 0;
  /** Context of the Worker's code; fetched on first use. */
  #contextId: number | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#receive(String(data)));
    socket.addEventListener("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the isolate is gone"));
      this.#waiting.clear();
    });
  }

  /** @param worker part of the target's name */
  static async connect(port: number, worker: string): Promise<Inspector> {
    const targets = targetsSchema.parse(await (await fetch(`http://127.0.0.1:${port}/json`)).json());
    const target = targets.find(({ id, title }) => id.includes(worker) || title.includes(worker));
    if (target === undefined)
      throw new Error(`no isolate is called ${worker}: ${targets.map(({ id }) => id).join(", ")}`);
    const socket = new WebSocket(target.webSocketDebuggerUrl.replace("localhost", "127.0.0.1"));
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener("open", () => resolve());
      socket.addEventListener("error", () => reject(new Error("the inspector does not answer")));
    });
    return new Inspector(socket);
  }

  async profile(work: () => Promise<void>): Promise<CpuProfile> {
    await this.#call("Profiler.enable");
    await this.#call("Profiler.setSamplingInterval", { interval: samplingIntervalMicroseconds });
    await this.#call("Profiler.start");
    await work();
    return z.object({ profile: profileSchema }).parse(await this.#call("Profiler.stop")).profile;
  }

  async heapUsage(): Promise<HeapUsage> {
    return heapUsageSchema.parse(await this.#call("Runtime.getHeapUsage"));
  }

  /** Collects garbage, so that the heap holds only objects in use. */
  async collectGarbage(): Promise<void> {
    await this.#call("HeapProfiler.collectGarbage");
  }

  /** Runs an expression in the isolate's global scope. */
  async evaluate(expression: string): Promise<void> {
    if (this.#contextId === undefined) await this.#call("Runtime.enable");
    await this.#call("Runtime.evaluate", { expression, contextId: this.#contextId });
  }

  close(): void {
    this.#socket.close();
  }

  #call(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    if (this.#socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error("the isolate is gone"));
    const id = ++this.#calls;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #receive(text: string): void {
    const { id, method, params, result, error } = messageSchema.parse(JSON.parse(text));
    if (method === "Runtime.executionContextCreated") this.#contextId ??= contextSchema.parse(params).context.id;
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiting === undefined) return;
    this.#waiting.delete(id);
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(JSON.stringify(error)));
  }
}

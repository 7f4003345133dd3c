import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { agoText, momentText } from "../text/time-text.ts";

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** The current time, updated each second. */
export function useNowMs(): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const listener = (): void => setNowMs(Date.now());
    listeners.add(listener);
    timer ??= setInterval(() => {
      if (!document.hidden) for (const notify of listeners) notify();
    }, 1_000);
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  }, []);
  return nowMs;
}

/** @param of milliseconds since the epoch */
export function TimeAgo({ of }: { readonly of: bigint }): VNode {
  const nowMs = useNowMs();
  const timestampMs = Number(of);
  return (
    <time dateTime={new Date(timestampMs).toISOString()} title={momentText(timestampMs)}>
      {agoText(timestampMs, nowMs)}
    </time>
  );
}

/** A time both as a date and as time ago. */
export function Moment({ of }: { readonly of: bigint }): VNode {
  return (
    <>
      {momentText(Number(of))}{" "}
      <span class="quiet">
        (<TimeAgo of={of} />)
      </span>
    </>
  );
}

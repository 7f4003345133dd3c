import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { shortId } from "../text/short-id.ts";

interface Props {
  readonly value: string;
  readonly href?: string | undefined;
  /** Not shortened. */
  readonly isWhole?: boolean | undefined;
  readonly canCopy?: boolean | undefined;
}

/** Id, shortened by default; copying always copies all of it. */
export function Id({ value, href, isWhole = false, canCopy = isWhole }: Props): VNode {
  const text = isWhole ? value : shortId(value);
  const title = isWhole ? undefined : value;
  return (
    <span class={isWhole ? "id whole" : "id"}>
      {href === undefined ? (
        <span title={title}>{text}</span>
      ) : (
        <a href={href} title={title}>
          {text}
        </a>
      )}
      {canCopy && <CopyButton text={value} />}
    </span>
  );
}

/** Time that "copied" is shown. */
const copiedNoticeMs = 1_200;

/** Pages without encryption have no clipboard, except those of the local machine. */
const canCopyHere = "clipboard" in navigator;

export function CopyButton({ text }: { readonly text: string }): VNode | null {
  const [isCopied, setCopied] = useState(false);
  if (!canCopyHere) return null;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), copiedNoticeMs);
  };
  return (
    <button type="button" class="copy" aria-label="Copy" title="Copy" onClick={() => void copy()}>
      {isCopied ? (
        <svg viewBox="0 0 16 16" aria-hidden="true" class="done">
          <path d="m3 8.5 3.3 3.5L13 4.5" />
        </svg>
      ) : (
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
          <path d="M10.5 3.5v-1h-8v8h1" />
        </svg>
      )}
      <span class="hidden-text" aria-live="polite">
        {isCopied ? "copied" : ""}
      </span>
    </button>
  );
}

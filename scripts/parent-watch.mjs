/**
 * Ends what npm or npx has started when they end. Plain JavaScript on Node's own modules: it runs before all else does.
 */
import { readFileSync } from "node:fs";

const parentCheckMs = 200;
/** Environment variable of a process that was started again under another Node. */
export const followParent = "WAVES_NODE_FOLLOW_PARENT";

/**
 * npm passes no signal on when it is killed itself, and the shell between npm and this process passes none on at all:
 * what npm started would go on unseen, on a port that looks free.
 */
export function whenParentEnds(end) {
  const isStartedFromScript = process.env.npm_lifecycle_event !== undefined || process.env[followParent] !== undefined;
  if (!isStartedFromScript || process.platform === "win32") return;
  const ancestors = describeAncestors();
  const timer = setInterval(() => {
    if (describeAncestors() === ancestors) return;
    clearInterval(timer);
    end();
  }, parentCheckMs);
  timer.unref();
}

/** Parent and, where the parent is npm's shell, the parent's parent; that one is known on Linux alone. */
function describeAncestors() {
  const parent = process.ppid;
  try {
    const [name, rest] = readFileSync(`/proc/${parent}/stat`, "utf8").split(/\) (?=\S \d)/);
    return name.endsWith("sh") ? `${parent} ${rest.split(" ")[1]}` : `${parent}`;
  } catch {
    return `${parent}`;
  }
}

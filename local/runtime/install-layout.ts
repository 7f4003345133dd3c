import type { Artifacts } from "./artifacts.ts";

/** Where the runner was started from: what is otherwise in a clone than in the installed package. */
export interface Home {
  /** What a user types, without flags. */
  readonly command: string;
  /** The same with flags, as help shows it. */
  readonly usage: string;
  /** Whether the chain is a dev chain where the command line says nothing of it: not of a public network, nor for an import. */
  readonly isDevByDefault: boolean;
  /** Folder from which paths on the command line are meant. */
  readonly callerFolder: string;
  /** Folder of the state of all networks, where `--data` names no other. */
  readonly dataFolder: string;
  /** What the runtime runs. */
  readonly artifacts: () => Promise<Artifacts>;
}

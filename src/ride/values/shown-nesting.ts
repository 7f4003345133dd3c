/**
 * How deep values nest that leave the evaluator. Values may nest some thousand times; the reference prints no JSON that
 * nests deeper than 1,000, and answers with an error of its own. Here what stands deeper has a text in its place, in
 * answers and in what is kept of calls.
 * @source jackson-core: StreamWriteConstraints (DEFAULT_MAX_DEPTH)
 */
import { Text } from "./text.ts";

/** Levels of values: each takes two of JSON. */
export const MAX_SHOWN_LEVELS = 500;
export const notShown = new Text("what stands here nests too deep to be shown");

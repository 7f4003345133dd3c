/**
 * Nesting limit of values outside of the evaluator. Values may nest a few thousand levels; the reference prints no JSON
 * with more than 1,000 levels, and responds with an error. Here a text replaces deeper values, in responses and in
 * stored records of calls.
 * @source jackson-core: StreamWriteConstraints (DEFAULT_MAX_DEPTH)
 */
import { Text } from "./text.ts";

/** Levels of values: each takes two of JSON. */
export const MAX_PRINTED_LEVELS = 500;
export const tooDeepText = new Text("what stands here nests too deep to be shown");

/**
 * What is said of scripts that take too long. The reference interrupts such a request after 5 s; a Worker cannot interrupt what
 * it computes, so what would take longer is known by its size or by the steps that it has taken (docs/limits.md).
 * @source docs/protocol/rest-api.md 1.5
 */
export const tookTooLong = "The request took too long to complete";

/**
 * Message for scripts that take too long. The reference interrupts such a request after 5 s; a Worker cannot interrupt
 * a computation, so it limits the size and the steps (docs/limits.md).
 * @source docs/protocol/rest-api.md 1.5
 */
export const tookTooLong = "The request took too long to complete";

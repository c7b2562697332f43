const MiB = 1_048_576

/** Every number the gateway enforces, each inclusive; the document is silent on all of them. */
export const gatewayLimits = {
  bodyBytes: 5 * MiB,
  /** Calls in a batch, and how many of them are with a node at once. */
  batchCalls: 1_000,
  batchLanes: 16,
  /** Characters of all answers to a batch together. */
  answerCharacters: 32 * MiB,
  /** Calls with a node at once, with those that wait, and what one of them may cost. */
  node: { inFlight: 64, pending: 1_024, answerMs: 30_000, answerBytes: 32 * MiB }
}

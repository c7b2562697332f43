/** How long a client waits: for the next sign of life, and for a request as a whole. */
export type Timeouts = { timeoutMs: number; deadlineMs: number }

/** No line is slower than a megabyte a second; who tests over one sets a longer deadline. */
const slowestBytesPerMs = 1_000

/** The wait for a request with `bytes` of body; its deadline also ends one that only drips. */
export function timeouts(options: {
  timeoutMs: number
  deadlineMs?: number
  bytes: number
}): Timeouts {
  const { timeoutMs, bytes } = options
  const { deadlineMs = 10 * timeoutMs + Math.ceil(bytes / slowestBytesPerMs) } = options
  return { timeoutMs, deadlineMs }
}

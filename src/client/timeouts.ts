import type { Reply } from './reply.ts'

/**
 * How long a client waits: for the next sign of life, for a request as a whole, and for the end of
 * an event stream, which need not have one.
 */
export type Timeouts = { timeoutMs: number; deadlineMs: number; streamMs: number }

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
  return { timeoutMs, deadlineMs, streamMs: options.deadlineMs ?? timeoutMs }
}

/** An event stream without an end so far as an answer, in words; undefined of other responses. */
export function openStream({
  status,
  headers
}: Pick<Reply, 'status' | 'headers'>): string | undefined {
  if (status === 0 || !/^text\/event-stream\s*(;|$)/i.test(headers['content-type'] ?? '')) return
  return `HTTP ${status}, an event stream that goes on`
}

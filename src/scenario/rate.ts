import { setTimeout as pause } from 'node:timers/promises'
import { type Reply, said } from '../client/reply.ts'
import type { Context } from './context.ts'
import type { Operation } from './operation.ts'
import { isServed } from './redirects.ts'
import type { Judge } from './scenario.ts'

/** A rate as it is documented: so many requests in so many seconds. */
export type DocumentedRate = { requests: number; seconds: number }

/** Requests that are under way at once. */
const width = 20

/** How many more are asked about: a bucket may be refilled meanwhile by some. */
const beyond = (requests: number) => Math.max(2, Math.ceil(requests / 10))

/**
 * Judges a rate: after a window without any request, as many valid ones as are documented have to
 * be served, and no more; others are refused with 429. Says nothing where these took longer than
 * the window, were answered otherwise, or are no more than what a bucket regains meanwhile. The
 * scenario has to run alone, and to expect 429.
 */
export async function judgeRate(
  operation: Operation,
  { clause, requests, seconds }: DocumentedRate & { clause: string },
  context: Context & Judge
): Promise<void> {
  await pause(seconds * 1_000)
  const begun = performance.now()
  const [first, second] = [await several(operation, requests, context), [] as Reply[]]
  if (!first.some(({ status }) => status === 429)) {
    second.push(...(await several(operation, beyond(requests), context)))
  }
  const all = [...first, ...second]
  const odd = all.find((reply) => !isServed(reply) && reply.status !== 429)
  if (odd !== undefined) {
    context.leave(clause, `one was answered ${said(odd)}`, odd)
    return
  }
  const tookMs = performance.now() - begun
  if (tookMs > seconds * 1_000) {
    const late = `${all.length} requests took ${Math.round(tookMs)} ms, more than the window`
    context.leave(clause, late, all.at(-1)!)
    return
  }
  const served = (replies: Reply[]) => replies.filter(isServed).length
  // A bucket that was full has so many more by now, and a window none.
  const refilled = Math.floor((requests * tookMs) / (seconds * 1_000))
  // As many more may be what it regained, or a line that is drawn too late.
  if (served(first) === requests && served(second) > 0 && served(second) <= refilled) {
    const slow = `in ${Math.round(tookMs)} ms ${served(second)} more may have been regained`
    context.leave(clause, slow, all.at(-1)!)
    return
  }
  const holds = served(first) === requests && served(second) === 0
  const more = `${served(second)} of ${second.length} more`
  const saw = `${served(first)} of ${requests} are served, ${more}`
  const told = all.find(({ status }) => status === 429) ?? all.at(-1)!
  context.verify(clause, { holds, saw }, told)
}

/** The answers to as many valid requests, some at a time. */
async function several(operation: Operation, count: number, context: Context): Promise<Reply[]> {
  const replies: Reply[] = []
  while (replies.length < count) {
    const length = Math.min(width, count - replies.length)
    replies.push(
      ...(await Promise.all(
        Array.from({ length }, () => operation.ask(context, {}, { isOnce: true }))
      ))
    )
    // What is refused is refused from then on, and a target need not be sent the rest.
    if (replies.some(({ status }) => status === 429)) break
  }
  return replies
}

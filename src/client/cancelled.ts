import type { Reply } from './reply.ts'

/**
 * The reply to a request, or what stands for it when `signal` is aborted first: a timeout. What is
 * under way then is left to itself.
 */
export function unlessGivenUp(
  reply: Promise<Reply>,
  signal: AbortSignal | undefined,
  { method, url }: Pick<Reply['request'], 'method' | 'url'>
): Promise<Reply> {
  if (signal === undefined) return reply
  const { promise, resolve } = Promise.withResolvers<Reply>()
  const giveUp = () => {
    const nothing = { status: 0, headers: {}, body: '', json: undefined, received: 0, sent: 0 }
    const because = 'given up, since no more was to be waited for'
    const request = { method, url, bodyBytes: 0 }
    resolve({ kind: 'timeout', ...nothing, phase: 'connect', ms: 0, because, request })
  }
  if (signal.aborted) giveUp()
  else signal.addEventListener('abort', giveUp)
  return Promise.race([reply, promise]).finally(() => signal.removeEventListener('abort', giveUp))
}

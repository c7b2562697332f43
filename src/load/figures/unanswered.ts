import type { Connections } from '../transports/transport.ts'
import type { Tally } from './metrics.ts'

/** Causes that are told of at most. */
const told = 3

const mostFirst = (counts: Record<string, number>) =>
  Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name]) => name)

/**
 * Why a load had not one answer, in words, where that is the target's matter: nothing connected, or
 * whatever did was not answered. Undefined where something was answered, where nothing was asked,
 * and where this machine had nothing left to connect with. It holds no counts, since it is told of
 * several loads together, too.
 */
export function unanswered({
  tally: { results },
  connections: { opened, failed, causes }
}: {
  tally: Pick<Tally, 'results'>
  connections: Connections
}): string | undefined {
  const isAnswered = Object.keys(results).some((result) => /^\d+$/.test(result))
  if (isAnswered || (results.exhausted ?? 0) > 0 || (failed.exhausted ?? 0) > 0) return
  if (opened === 0 && Object.keys(failed).length > 0) {
    const found = mostFirst(causes).slice(0, told)
    return `nothing connected: ${found.join('; ') || 'no connection'}`
  }
  const ended = mostFirst(results)
  return ended.length > 0 ? `nothing answered: ${ended.join(', ')}` : undefined
}

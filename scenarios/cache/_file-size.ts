import { type Channel, type Context, isOk, type Judge, MB } from 'plimsoll'
import { hasBytes } from '../_reply.ts'
import { openServer, patienceMs } from '../functions/_stage.ts'

/** How often a file is asked for again at most: when one that may be kept is kept is not said. */
export const again = 3

/** A size of a file, and whether the edge may keep a file of this size. */
type File = { bytes: number; isKept: boolean; framing: 'length' | 'chunked' }

/** What a server that has failed says, and an edge in place of a file that it does not let pass. */
export const failures = [502, 503, 504]

/** Whether a small file is served, which nobody has to keep: then another was not let pass. */
async function isServing(
  { edge }: Context,
  { host, channel }: { host: string; channel: Channel }
): Promise<boolean> {
  const { pathname, search } = new URL(channel.url({ bytes: 7, cache: 'no-store', name: 'small' }))
  const reply = await edge.as(host).get(pathname + search)
  return isOk(reply) && hasBytes(reply, 7)
}

/**
 * Asks for a file, and so often again, or until it does not come from the origin any more; how
 * often that was.
 */
async function judge(
  context: Context & Judge,
  { plan, channel, file, most }: { plan: string; channel: Channel; file: File; most: number }
): Promise<number> {
  const { adapter, edge } = context
  const { bytes, isKept, framing } = file
  const zone = await adapter.zone(plan)
  const url = new URL(channel.url({ bytes, framing, cache: 'public, max-age=3600' }))
  await adapter.origin(zone.id, url.origin)
  const ask = () => edge.as(zone.host).get(url.pathname + url.search, { timeoutMs: 2 * patienceMs })
  const first = await ask()
  if (first.status > 501 && !(await isServing(context, { host: zone.host, channel }))) return most
  let [last, isCached, times] = [first, false, 0]
  for (; times < most && !isCached; times++) {
    const before = channel.seen().requests
    last = await ask()
    isCached = channel.seen().requests === before
  }
  const isWhole = first.received === bytes && last.received === bytes
  const where = isCached ? 'from the cache' : 'from the origin'
  const size = `${bytes / MB} MB (${framing})`
  const saw = `${size}, time ${times + 1} ${where}: ${last.received} of ${bytes} bytes`
  const clause = `limits.cache.file-size.${plan}`
  context.verify(clause, { holds: isWhole && isCached === isKept, saw }, first, last)
  return times
}

/** How large a file may be: in decimal and in binary units, since that is left to the target. */
type Readings = { decimal: number; binary: number }

/** What an answer has beside a file, which a target may count, is a thousandth of it at most. */
const beside = 0.001

/** Judges how large a file may be to be cached on a plan. */
export async function judgeFileSize(
  context: Context & Judge,
  { plan, decimal, binary }: { plan: string } & Readings
): Promise<void> {
  await using server = await openServer(context)
  const files: File[] = [
    { bytes: Math.round((1 - beside) * decimal), isKept: true, framing: 'length' },
    { bytes: Math.round((1 + beside) * binary), isKept: false, framing: 'length' },
    // Whether a file is kept that comes in chunks is left to the edge, if it is no larger.
    { bytes: Math.round((1 + beside) * binary) + 1, isKept: false, framing: 'chunked' }
  ]
  let most = again
  for (const file of files) {
    const channel = server.channel(`${plan}-${file.bytes}`)
    // What is too large is asked for as often as what is not was, until it was kept.
    most = await judge(context, { plan, channel, file, most })
  }
}

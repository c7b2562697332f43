import { type Channel, type Context, check, isOk, type Look, summary } from 'plimsoll'
import { soonMs, unlessMute } from '../_mute.ts'
import { hasBytes } from '../_reply.ts'
import { openServer } from '../functions/_stage.ts'
import { again } from './_file-size.ts'

const plans = ['free', 'pro', 'business', 'enterprise']
/** What no cache has to throw away within the time that this takes. */
const forLong = 'public, max-age=3600'
/** How long nothing may come of an answer. */
const silenceMs = 5_000

/** What is asked for, and whether the origin has to be asked; undefined where either will do. */
type Step = {
  asked: string
  bytes: number
  isFresh?: boolean
  method?: 'post' | 'head'
  framing?: 'chunked'
  host?: string
}

/** What to ask an edge for, by which host of it, and where the file really is. */
type Asked = Omit<Step, 'asked' | 'isFresh'> & { host: string; channel: Channel }

/**
 * Asks an edge for a file of the origin, and tells how many bytes came and whether from there; of
 * what does not come to its end, whether a file does beside it that nobody has to keep.
 */
async function asked({ edge }: Context, { host, channel, bytes, framing, method }: Asked) {
  const pathOf = (file: Parameters<Channel['url']>[0]) => {
    const { pathname, search } = new URL(channel.url(file))
    return pathname + search
  }
  const path = pathOf({ bytes, framing, cache: forLong, name: `${bytes}` })
  const beside = pathOf({ bytes: 7, cache: 'no-store', name: 'beside' })
  const client = edge.as(host)
  const before = channel.seen().requests
  const ask = () => client[method ?? 'get'](path, { timeoutMs: silenceMs })
  const { reply, ...came } = await unlessMute(ask, async () => {
    const other = await client.get(beside)
    return isOk(other) && hasBytes(other, 7) && other.ms < soonMs
  })
  const type = reply.headers['content-type']
  // What is kept is an answer with all that belongs to it.
  const isWhole = hasBytes(reply, method === 'head' ? 0 : bytes)
  const isTyped = method === 'head' || type === 'application/octet-stream'
  const isFile = isWhole && isTyped && isOk(reply)
  return { reply, isFresh: channel.seen().requests > before, isFile, text: reply.body, ...came }
}

export default check({
  title: 'A small file is kept, whole, for who asks for it again in its zone, and for nobody else',
  clauses: plans.map((plan) => `limits.cache.file-size.${plan}`),
  needs: ['edge', 'zone', 'origin', 'reach'],
  // What stands still, where other files come, is no outage.
  expectedReplies: ['timeout'],
  async run(context) {
    await using server = await openServer(context)
    for (const plan of plans) {
      const channel = server.channel(plan)
      const [zone, other] = [await context.adapter.zone(plan), await context.adapter.zone(plan)]
      const { origin } = new URL(channel.url())
      for (const { id } of [zone, other]) await context.adapter.origin(id, origin)
      const steps: Step[] = [
        // Whether a file is kept that comes in chunks is left to the edge; never a part of it is.
        { asked: 'a file in chunks', bytes: 80_007, framing: 'chunked', isFresh: true },
        { asked: 'the file in chunks again', bytes: 80_007, framing: 'chunked' },
        { asked: 'a file', bytes: 70_001, isFresh: true },
        { asked: 'the file again', bytes: 70_001, isFresh: false },
        { asked: 'another file', bytes: 7, isFresh: true },
        { asked: 'the other file again', bytes: 7, isFresh: false },
        { asked: 'its head', bytes: 7, method: 'head' },
        { asked: 'the first file once more', bytes: 70_001, isFresh: false },
        { asked: 'a POST to it', bytes: 70_001, isFresh: true, method: 'post' as const },
        { asked: 'it in another zone', bytes: 70_001, isFresh: true, host: other.host },
        // Whether its head is kept is left to the edge, but it must not stand for the file.
        { asked: 'the head of a third file', bytes: 140_003, method: 'head' },
        { asked: 'the third file', bytes: 140_003 },
        { asked: 'the third file again', bytes: 140_003, isFresh: false },
        { asked: 'its head', bytes: 140_003, method: 'head' },
        { asked: 'the third file once more', bytes: 140_003, isFresh: false }
      ]
      const looks: Look[] = []
      const texts = new Map<number, string>()
      for (const { asked: what, isFresh, ...step } of steps) {
        const ask = () => asked(context, { host: zone.host, channel, ...step })
        let seen = await ask()
        for (let more = 1; more < again && seen.isFresh && !isFresh; more++) seen = await ask()
        // Of what is late it cannot be told where it was asked for.
        if (seen.isLate && !seen.isMute) return
        const from = seen.isFresh ? 'from the origin' : 'from the cache'
        const place = seen.isMute ? 'each time, where another file comes at once' : from
        const saw = `${place}, ${seen.reply.because}, ${seen.reply.received} bytes`
        const isHead = step.method === 'head'
        const first = texts.get(step.bytes) ?? seen.text
        if (!isHead) texts.set(step.bytes, first)
        const isFrom = isFresh === undefined || seen.isFresh === isFresh
        const holds = isFrom && seen.isFile && (isHead || seen.text === first)
        looks.push({ asked: what, holds, saw, reply: seen.reply })
        // What is amiss is amiss: who keeps half a file leaves each answer after it unfinished.
        if (!holds) break
      }
      context.verify(`limits.cache.file-size.${plan}`, ...summary(looks)!)
      // Nobody waits on the next plan for what stands still on this one.
      if (looks.at(-1)!.reply.kind === 'timeout') return
    }
  }
})

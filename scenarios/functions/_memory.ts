import { setTimeout as pause } from 'node:timers/promises'
import { check, isAnswered, type Reply, type Scenario } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { outcomeOf } from './_command.ts'
import { deployed, graceMs, type Probe, patienceMs } from './_stage.ts'

/** So much is kept by each request, so that none of them needs much processor time for it. */
const partMegabytes = 2
/**
 * What an instance holds at least and at most when it ends: what a runtime has beside it counts or
 * does not, and what is garbage may not have been collected yet. Nothing lets it hold more than
 * 128, but for what comes while a runtime looks.
 */
const [safeMegabytes, mostMegabytes] = [104, 134]
/** From here on each part is given the time in which a runtime may look that does so at times. */
const slowMegabytes = 116
const lookMs = 100
const ceilingMegabytes = 256
/** How often an instance is looked for after one that has kept less has answered, or none. */
const looks = 3
/** How often an instance is filled until it ends as one does that is full. */
const fills = 4
/** After so long no other fill is begun, and none goes on: of a slow target they tell nothing. */
const [againMs, mostMs] = [40_000, 120_000]

/** What the instance that answered has kept, in megabytes. */
const heldIn = (reply: Reply): number | undefined => outcomeOf(reply)?.ok

type End = { replies: Reply[]; heldMegabytes: number; isCut?: true }

/** Keeps more and more in the globals of a function, and tells how much there was in the end. */
async function fill(probe: Probe, as: 'heap' | 'buffer', until: number): Promise<End> {
  const keep = (megabytes: number) => probe.ask({ do: 'allocate', megabytes, as, leak: true })
  let heldMegabytes = 0
  while (heldMegabytes < ceilingMegabytes) {
    const reply = await keep(partMegabytes)
    // A request that fails for another reason leaves its instance, and what that has kept. There
    // may be other servers, too: only those that answer, and have kept less, show that it is gone.
    let after = reply
    for (let look = 0; (heldIn(after) ?? -1) < heldMegabytes && look < looks; look++)
      after = await keep(0)
    const held = heldIn(after)
    if (held === undefined || held < heldMegabytes)
      return { replies: [reply, after], heldMegabytes }
    heldMegabytes = held
    if (performance.now() > until) return { replies: [reply], heldMegabytes, isCut: true }
    if (held >= slowMegabytes) await pause(lookMs)
  }
  return { replies: [await keep(0)], heldMegabytes }
}

/** What is answered where an instance has ended, once one of the probe is there again. */
async function servedAgain(probe: Probe): Promise<Reply> {
  const until = performance.now() + patienceMs
  for (;;) {
    const reply = await probe.ask({ do: 'count' })
    if (outcomeOf(reply) !== undefined || performance.now() > until) return reply
    await pause(graceMs)
  }
}

/**
 * Fills instances until one ends with an answer, and not far too early: it may be let go for
 * another reason, and collecting garbage takes processor time, of which a plan has its own limit.
 * Tells the fullest, and whether it can have been its memory for which that ended.
 */
async function filled(probe: Probe, as: 'heap' | 'buffer'): Promise<End & { isFull: boolean }> {
  const ends: End[] = []
  const began = performance.now()
  while (ends.length < fills && (ends.length === 0 || performance.now() - began < againMs)) {
    const end = await fill(probe, as, began + mostMs)
    if (end.isCut) return { ...end, isFull: false }
    const isEarly = end.heldMegabytes < safeMegabytes || end.replies[0]!.kind !== 'answered'
    if (!isEarly) return { ...end, isFull: true }
    ends.push(end)
  }
  const [most, next] = ends.sort((a, b) => b.heldMegabytes - a.heldMegabytes) as [End, End?]
  // A limit is met in the same place each time, by a request that it cancels; what else ends an
  // instance comes anywhere, and between requests.
  const isAgain =
    next !== undefined &&
    most.heldMegabytes - next.heldMegabytes <= 2 * partMegabytes &&
    [most, next].every(({ replies }) => outcomeOf(replies[0]!) === undefined)
  return { ...most, isFull: most.heldMegabytes >= safeMegabytes || isAgain }
}

/** A check of how much memory an instance may use on a plan. */
export function memoryLimit(options: {
  clause: string
  plan: FunctionPlan
  tier?: Scenario['tier']
}): Scenario {
  const { clause, plan, tier } = options
  return check({
    title: `An instance may use 128 MB of memory on plan ${plan}, and not much more`,
    clauses: [clause],
    tier,
    // A request that is cancelled may be cut off in its answer: what its instance held tells.
    expectedReplies: [503, 'closed'],
    needs: ['edge', 'probe'],
    async run(context) {
      for (const as of ['heap', 'buffer'] as const) {
        const probe = await deployed(context, { plan, name: as })
        const { replies, heldMegabytes, isFull, isCut } = await filled(probe, as)
        const [reply, after] = replies as [Reply, Reply?]
        const isNever = isCut || heldMegabytes >= ceilingMegabytes
        const end = isNever ? 'never cancelled' : `then cancelled: ${reply.because}`
        const where = as === 'heap' ? 'on the heap' : 'in buffers'
        const saw = `${heldMegabytes} to ${heldMegabytes + partMegabytes} MB ${where}, ${end}`
        if (after && outcomeOf(after) === undefined) {
          const last = await servedAgain(probe)
          if (outcomeOf(last) !== undefined || !isAnswered(last)) return
          const never = `${saw}, and ${last.because} for ${patienceMs / 1_000} s, whatever is asked`
          return context.verify(clause, { holds: false, saw: never }, reply, last)
        }
        const why = isCut ? `in ${mostMs / 1_000} s` : 'and no other came as far'
        if (!isFull) return context.leave(clause, `${saw}, ${why}`, reply)
        const holds = heldMegabytes >= safeMegabytes && heldMegabytes <= mostMegabytes
        context.verify(clause, { holds, saw }, reply, ...(after ? [after] : []))
      }
    }
  })
}

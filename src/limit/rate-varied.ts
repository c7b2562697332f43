import { type Reply, said } from '../client/reply.ts'
import { against, type Baseline } from './baseline.ts'
import { type Marks, marksOf, type Range, rangeOf } from './marks.ts'
import type { RateLimit } from './rate-limit.ts'
import { probeRate, type RateProbeOptions } from './rate-probe.ts'

/** As `RateProbeOptions`, of a target whose replies are judged by what is usual. */
export type VariedProbeOptions = Omit<RateProbeOptions, 'ask'> & {
  ask: (isApart: boolean) => Promise<Reply>
  baseline: Baseline
}

/** Of how many answers most have to be unlike all before them, and what part is most. */
const many = 32
const mostly = 0.8

/** How often answers have to turn back after a pause, and to turn again. */
const turns = 2

/** How often it is begun anew with what has shown to be usual as well. */
const mostAttempts = 3

/** For how long they are waited for to turn back: after how many ms at first, how many in all. */
const firstWaitMs = 250
const mostWaitMs = 30_000

/** For how much longer at most it is waited once one is back, in ms. */
const mostMoreMs = 3_000

/**
 * Finds out how a target limits the rate of requests, also where no two answers are alike, so that
 * a soft refusal is no other form: what is usual is a range then, learnt until most answers are far
 * outside it. That is a refusal where answers turn back after a pause and turn again when asked for
 * as many; it is usual where they are mixed, and unclear where they stay so.
 */
export async function probeVariedRate(options: VariedProbeOptions): Promise<RateLimit> {
  const { baseline, clock, mostMs, mostRequests, stopped } = options
  const manner = { crowding: [], isSame: true }
  let asked = 0
  const ask = (isApart: boolean) => {
    asked++
    return options.ask(isApart)
  }
  const until = clock.now() + mostMs
  const left = () => ({
    ...{ mostMs: until - clock.now(), mostRequests: mostRequests - asked },
    before: asked === 0 ? options.before : undefined
  })
  const judged = async (of: Baseline, isApart: boolean) => {
    const reply = await ask(isApart)
    return { ...against(reply, of, manner), bytes: reply.received }
  }
  const plainly = (of: Baseline) => {
    return probeRate({ ...options, ...left(), ask: (isApart) => judged(of, isApart) })
  }
  if (baseline.varied === undefined) return plainly(baseline)
  const usual = rangeOf(baseline.varied)
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const watch = watched(usual)
    const found = await probeRate({
      ...{ ...options, ...left() },
      async ask(isApart) {
        const reply = await ask(isApart)
        const answer = against(reply, baseline, manner)
        if (answer.kind === 'accepted') watch.see(reply)
        return { ...answer, bytes: reply.received }
      },
      stopped: () => watch.turned !== undefined || stopped()
    })
    const { turned } = watch
    if (turned === undefined || stopped()) return found
    const back = await turnsBack({ ...options, ask, usual, turned })
    if (back === 'no') {
      for (const marks of turned.unlike) usual.add(marks)
      continue
    }
    if (back === 'never') return staying(turned)
    await clock.until(clock.now() + 1.2 * back)
    const odd = rangeOf(turned.unlike)
    return plainly({
      ...baseline,
      isSoft(reply) {
        const marks = marksOf(reply)
        return !usual.has(marks) && odd.has(marks)
      }
    })
  }
  return plainly(baseline)
}

/** Most answers from some number on: what they are like, and one of them. */
type Turned = { after: number; unlike: Marks[]; reply: Reply }

/** Watches whether answers turn; those mixed with usual ones are usual. */
function watched(usual: Range) {
  let count = 0
  let block: { marks: Marks; isUnlike: boolean }[] = []
  const watch = {
    turned: undefined as Turned | undefined,
    see(reply: Reply) {
      if (watch.turned) return
      count++
      const marks = marksOf(reply)
      const isUnlike = !usual.has(marks)
      if (block.length === 0 && !isUnlike) return usual.add(marks)
      block.push({ marks, isUnlike })
      if (block.length < many) return
      const unlike = block.flatMap((one) => (one.isUnlike ? one.marks : []))
      if (unlike.length >= mostly * many) watch.turned = { after: count - many, unlike, reply }
      else for (const one of block) usual.add(one.marks)
      block = []
    }
  }
  return watch
}

/**
 * After how many ms answers are usual again, each time after as many as before; `no` where they do
 * not turn a second time, `never` where they stay as they are.
 */
async function turnsBack(
  options: VariedProbeOptions & { usual: Range; turned: Turned }
): Promise<number | 'no' | 'never'> {
  const { ask, baseline, clock, stopped, parallel, usual, turned } = options
  const isUsual = (reply: Reply) =>
    reply.kind === 'answered' && reply.status === baseline.status && usual.has(marksOf(reply))
  let longestMs = 0
  for (let nth = 0; nth < turns; nth++) {
    const began = clock.now()
    for (let waitMs = firstWaitMs; ; waitMs *= 1.5) {
      await clock.until(clock.now() + waitMs)
      if (stopped()) return 'never'
      if (isUsual(await ask(true))) break
      if (clock.now() - began > mostWaitMs) return 'never'
    }
    const backMs = clock.now() - began
    longestMs = Math.max(longestMs, backMs)
    // The first to be back may be one of few.
    await clock.until(clock.now() + Math.min(backMs, mostMoreMs))
    const watch = watched(usual)
    let left = 2 * turned.after + 4 * many
    const lane = async () => {
      while (left-- > 0 && !watch.turned && !stopped()) {
        const reply = await ask(false)
        if (against(reply, baseline).kind === 'accepted') watch.see(reply)
      }
    }
    await Promise.all(Array.from({ length: parallel }, lane))
    if (!watch.turned) return 'no'
  }
  return longestMs
}

function staying({ after, reply }: Turned): RateLimit {
  const seconds = mostWaitMs / 1_000
  const because =
    `after ${after.toLocaleString('en')} answers they were unlike all before, and still were ` +
    `${seconds} s later: ${said(reply)}`
  return { algorithm: 'unclear', because, repeats: '0/0' }
}

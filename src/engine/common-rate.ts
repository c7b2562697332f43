import { hold, open } from '../load/load.ts'
import type { Trial } from '../verdict/trial.ts'
import { unlessHanging } from './comparison-answers.ts'
import { warm } from './comparison-pilot.ts'
import type { ComparisonRun } from './comparison-run.ts'
import { Ended } from './pairing.ts'

/**
 * An open load is begun with this share of what the slower one does in a closed one, and with less
 * each time that one of them does not hold it.
 */
const share = { first: 0.5, next: 0.8, tries: 10 }

/** How long a rate has to be held, and how much of it. */
const held = { seconds: 0.5, least: 0.95 }

const holds = ({ perSecond, failures, reasons }: Trial, rate: number) =>
  failures === 0 && reasons.length === 0 && perSecond >= held.least * rate

/**
 * The session with open loads at a rate that both targets hold, in requests a second; it is found
 * with the closed loads there were. Throws `Ended` when there is no such rate.
 */
export async function atCommonRate(session: ComparisonRun): Promise<ComparisonRun> {
  const { options, pairing } = session
  const { loadFor } = options
  const { connections, pipelining, timeoutMs } = loadFor(1)
  await pairing.renew()
  const first = share.first * (await warm(session, held.seconds * 1_000))
  const rates = Array.from({ length: share.tries }, (_, tries) => first * share.next ** tries)
  for (const rate of rates) {
    const openFor = (seconds: number) => {
      return { ...open(hold({ rate, seconds })), connections, pipelining, timeoutMs }
    }
    const { a, b } = await pairing.once(openFor(held.seconds))
    if (!holds(a, rate) || !holds(b, rate)) {
      await unlessHanging(session)
      continue
    }
    options.onProgress({ kind: 'paced', rate })
    return { ...session, rate, options: { ...options, loadFor: openFor } }
  }
  const last = rates.at(-1)!.toPrecision(2)
  throw new Ended(
    'blocked',
    `not even ${last} requests a second are held by both: give a lower one with --rate`
  )
}

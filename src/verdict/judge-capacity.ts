import type { Capacity } from './capacity.ts'
import { shortageIn, shortageText } from './capacity-unsteady.ts'
import type { Conclusion } from './outcome.ts'

/** The rate a target must hold, and what with. */
export type RateDemand = {
  /** Requests a second. */
  perSecond: number
  /** Response time that 99 in 100 of them stay within. */
  p99Ms: number
  /** Largest share of them that may fail. */
  errorRatio: number
}

const rateText = (rate: number) => `${Number(rate.toPrecision(4))}/s`

/** A demand as a sentence. */
export function demandText({ perSecond, p99Ms, errorRatio }: RateDemand): string {
  const errors = `${Number((errorRatio * 100).toPrecision(3))} %`
  return `${rateText(perSecond)} with p99 within ${p99Ms} ms, errors at most ${errors}`
}

function observedText({ confirmed, interval, lower, upper }: Capacity): string {
  const texts = [
    confirmed !== undefined && `${rateText(confirmed)} confirmed`,
    interval && `surely within ${interval.map(rateText).join(' … ')}`,
    !interval && lower !== undefined && `held at ${rateText(lower)}`,
    !interval && upper !== undefined && `missed at ${rateText(upper)}`
  ]
  return texts.filter(Boolean).join(', ') || 'no rate was held'
}

/**
 * Judges a search by the rate that is demanded.
 *
 * | what was found                                           | outcome        |
 * | -------------------------------------------------------- | -------------- |
 * | a rate was confirmed, and it or the interval is no lower | `pass`         |
 * | the capacity is surely lower, or nothing was held at all | `fail`         |
 * | it is held, by too few requests to show its errors       | `inconclusive` |
 * | the target changed, or does not recover from overload    | `inconclusive` |
 * | a machine short of processors saw it change, above that  | `pass`         |
 * | it was missed in time, by a machine short of processors  | `inconclusive` |
 * | the generator gave out below it                          | `error`        |
 * | the interval reaches across it, or the time was up       | `inconclusive` |
 */
export function judgeCapacity(demand: RateDemand, found: Capacity): Conclusion {
  const { perSecond } = demand
  const { ended, interval, confirmed, binding, unsteady, undecided } = found
  const observed = observedText(found)
  const conclude = (outcome: Conclusion['outcome'], because: string) => {
    return { outcome, observed, because }
  }
  if (unsteady && ended !== 'lowest') {
    // A machine that is late makes less of what a target holds, and never more.
    const least = unsteady.kind === 'machine' ? Math.min(confirmed ?? 0, interval?.[0] ?? 0) : 0
    const isHeld = least >= perSecond && undecided === undefined
    if (isHeld) return conclude('pass', `${demandText(demand)} is held`)
    // Of a target that changed nobody knows what it holds next.
    return conclude('inconclusive', unsteady.because)
  }
  // An interval says what trials tell if the target is as it was taken to be: some run has to hold.
  const surely = confirmed === undefined ? 0 : Math.max(confirmed, interval?.[0] ?? 0)
  if (surely >= perSecond && undecided !== undefined) return conclude('inconclusive', undecided)
  if (surely >= perSecond) return conclude('pass', `${demandText(demand)} is held`)
  // Who waits for a processor sends and reads late, which is in every latency, and in no error.
  const shortage = binding === 'errors' ? undefined : shortageIn(found.trials)
  const accuse = (because: string) =>
    shortage
      ? conclude('inconclusive', `${shortageText(shortage)}; the target may hold more`)
      : conclude('fail', because)
  if (ended === 'lowest') return accuse('not even the lowest rate was held')
  if (interval && interval[1] < perSecond) {
    const bound = binding === undefined ? '' : `, bound by ${binding}`
    return accuse(`it surely holds less than ${rateText(perSecond)}${bound}`)
  }
  if (ended === 'generator') return conclude('error', 'the generator gave out before the target')
  const isWithin = interval !== undefined && interval[0] >= perSecond
  const across = isWithin ? 'no longer run held any rate' : 'the interval reaches across the rate'
  return conclude(
    'inconclusive',
    `${ended === 'time' ? 'the time was up' : across}: give it more time`
  )
}

import type { Conclusion, Observation } from './verdict.ts'

/**
 * Judges one clause by what the attempts at a check saw of it. An attempt is replayed, up to twice,
 * only after the first one saw some clause not hold.
 *
 * | what the attempts saw                                        | outcome        |
 * | ------------------------------------------------------------ | -------------- |
 * | at least two saw it not hold, on answered evidence           | `fail`         |
 * | one saw it not hold, and no other attempt confirmed it       | `inconclusive` |
 * | a request it rests on was not answered                       | `inconclusive` |
 * | none of them came to the point                               | `inconclusive` |
 * | it held whenever it was judged                               | `pass`         |
 * | it was never judged, since the document is silent            | `observed`     |
 *
 * So a lone attempt never fails a target: whatever accuses it has been seen twice.
 */
export function judgeCheck(clause: string, attempts: Observation[][]): Conclusion {
  const seen = attempts
    .map((attempt) => attempt.filter((one) => one.clause === clause))
    .filter((attempt) => attempt.length > 0)
  const all = seen.flat()
  const broken = seen.filter((attempt) => attempt.some(isBroken))
  const unanswered = all.filter((one) => !one.answered)
  const judged = all.filter((one) => one.holds !== undefined)
  const times = `${broken.length} of ${plural(attempts.length, 'attempt')}`

  if (broken.length >= 2) {
    return conclude('fail', broken.flat().filter(isBroken), `it did not hold in ${times}`)
  }
  if (broken.length === 1) {
    const replay = seen.length === 1 ? 'nothing confirmed it' : 'the answers differ'
    return conclude('inconclusive', all, `it did not hold in ${times}, and ${replay}`)
  }
  if (unanswered.length > 0) {
    return conclude('inconclusive', unanswered, `no answer to judge by: ${reasons(unanswered)}`)
  }
  if (all.length === 0) {
    return conclude('inconclusive', [], 'the scenario came to no conclusion')
  }
  if (judged.length === 0) {
    return conclude('observed', all, 'the document is silent; what the target does is recorded')
  }
  return conclude('pass', judged, `it held in ${plural(judged.length, 'observation')}`)
}

/** As many different texts as one line of a report can carry; the evidence has them all. */
const mostTexts = 3

/** What is only observed is told whole, since it is what the next run is compared with. */
const toldWhole: readonly Conclusion['outcome'][] = ['observed']

function isBroken(one: Observation): boolean {
  return one.answered && one.holds === false
}

function conclude(outcome: Conclusion['outcome'], seen: Observation[], because: string) {
  const texts = [...new Set(seen.map((one) => one.observed))]
  const most = toldWhole.includes(outcome) ? texts.length : mostTexts
  const more = texts.length > most ? `; and ${texts.length - most} more` : ''
  return { outcome, observed: (texts.slice(0, most).join('; ') || 'nothing') + more, because }
}

/** Why requests were not answered, each reason once. */
function reasons(unanswered: Observation[]): string {
  const exchanges = unanswered.flatMap((one) => one.exchanges)
  const texts = new Set(
    exchanges.filter((one) => one.kind !== 'answered').map((one) => one.because)
  )
  return [...texts].join(', ') || 'the exchange was not recorded'
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

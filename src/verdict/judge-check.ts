import { accusations, isBroken, standOf } from './attempt.ts'
import type { Conclusion } from './outcome.ts'
import type { Observation } from './verdict.ts'

/**
 * Judges one clause by what the attempts at a check saw of it. An attempt is repeated only while
 * some clause is accused or in doubt.
 *
 * | what the attempts saw                                        | outcome        |
 * | ------------------------------------------------------------ | -------------- |
 * | three saw it not hold on good evidence, and none saw it hold | `fail`         |
 * | fewer saw it not hold, or another one saw it hold            | `inconclusive` |
 * | it held whenever it was judged on good evidence              | `pass`         |
 * | the same, but never judged, as where the document is silent  | `observed`     |
 * | what it rests on was never evidence                          | `inconclusive` |
 * | none of them came to the point                               | `inconclusive` |
 *
 * An accusation is good evidence when every request of the attempt was answered to the point, and
 * the endpoints' canaries worked right after it: see `attend`.
 */
export function judgeCheck(clause: string, attempts: Observation[][]): Conclusion {
  const of = (stand: ReturnType<typeof standOf>) =>
    attempts
      .filter((attempt) => standOf(clause, attempt) === stand)
      .map((attempt) => attempt.filter((one) => one.clause === clause))
  const [accused, seen, doubted] = [of('accused'), of('seen'), of('doubted')]
  const times = `${accused.length} of ${plural(attempts.length, 'attempt')}`

  if (accused.length >= accusations && seen.length === 0) {
    return conclude('fail', accused.flat().filter(isBroken), `it did not hold in ${times}`)
  }
  if (accused.length > 0) {
    const others = seen.length > 0 ? 'the answers differ' : confirmation(doubted.flat())
    const all = [...accused, ...seen, ...doubted].flat()
    return conclude('inconclusive', all, `it did not hold in ${times}, and ${others}`)
  }
  if (seen.length === 0 && doubted.length > 0) {
    const unanswered = doubted.flat().filter((one) => !one.answered)
    return conclude('inconclusive', unanswered, `no answer to judge by: ${reasons(unanswered)}`)
  }
  const all = seen.flat()
  if (all.length === 0) {
    return conclude('inconclusive', [], 'the scenario came to no conclusion')
  }
  const judged = all.filter((one) => one.holds !== undefined)
  if (judged.length === 0) {
    return conclude('observed', all, 'nothing is judged; what the target does is recorded')
  }
  return conclude('pass', judged, `it held in ${plural(judged.length, 'observation')}`)
}

/** As many different texts as one line of a report can carry; the evidence has them all. */
const mostTexts = 3

/** What is only observed is told whole, since it is what the next run is compared with. */
const toldWhole: readonly Conclusion['outcome'][] = ['observed']

function conclude(outcome: Conclusion['outcome'], seen: Observation[], because: string) {
  const texts = [...new Set(seen.map((one) => one.observed))]
  const most = toldWhole.includes(outcome) ? texts.length : mostTexts
  const more = texts.length > most ? `; and ${texts.length - most} more` : ''
  return { outcome, observed: (texts.slice(0, most).join('; ') || 'nothing') + more, because }
}

/** Why an accusation was not confirmed as often as it has to be. */
function confirmation(doubted: Observation[]): string {
  return doubted.length > 0
    ? `other attempts are no evidence: ${reasons(doubted)}`
    : 'nothing confirmed it'
}

/** Why observations are no evidence, each reason once. */
function reasons(doubted: Observation[]): string {
  const texts = doubted.flatMap(({ answered, doubt, exchanges }) => {
    if (answered) return []
    if (doubt !== undefined) return [doubt]
    return exchanges.filter((one) => one.kind !== 'answered').map((one) => one.because)
  })
  return [...new Set(texts)].join(', ') || 'the exchange was not recorded'
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

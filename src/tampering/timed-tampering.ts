import { hasBody, type KeptAnswer, withJson } from './answer.ts'
import { altered, changedAt, type FieldPath, fieldsOf, retyped } from './field.ts'
import { forged } from './forgery.ts'
import { namedAt, tellingFirst } from './naming.ts'
import { alike, inTurn, isTaken, latest, type Recorded, said, type Tampering } from './tampering.ts'
import {
  isOfSame,
  isWriting,
  kindOf,
  momentOf,
  questionOf,
  turnOf,
  type Witnessed
} from './witnessed.ts'

/** Answers that are untrue at one time only: after a change, or when they are asked for again. */
export function timedTamperings({ clause, shown, all }: Recorded): Tampering[] {
  return inTurn([
    ...latest(shown, momentOf).map((one) => ofMoment(one, { clause, all })),
    ...latest(shown, turnOf).map((one) => askedAgain(one, { clause, all }))
  ])
}

type Among = Pick<Recorded, 'clause' | 'all'>

/** The answer to a question at one of its moments: as at another one, or refused. */
function ofMoment(seen: Witnessed, { clause, all }: Among): Tampering[] {
  const { after } = seen
  const others = all.filter(
    (one) => questionOf(one) === questionOf(seen) && momentOf(one) !== momentOf(seen)
  )
  if (isWriting(seen) || after === undefined || others.length === 0) return []
  const make = (what: string, change: (other: Witnessed) => KeptAnswer): Tampering => {
    const words = `${said(seen)} after ${said(after)}: ${what}`
    return alike(seen, { likeness: momentOf, words }, change)
  }
  const stale = others.findLast(
    ({ answer }) => answer.text !== undefined && answer.text !== seen.answer.text
  )
  const [named, more] = fieldsApart(seen, { clause, all })
  // What a change is about it names itself.
  const isSent = (path: FieldPath) => after.asked.body.includes(`"${path.at(-1)}"`)
  const own = [...named, ...more.filter(isSent)]
  return [
    ...own.map((path) => withoutTruth(path, make)),
    ...(stale ? [make('as at another time', () => stale.answer)] : []),
    ...ofOtherFate(seen, make),
    ...more.filter((path) => !isSent(path)).map((path) => withoutTruth(path, make))
  ]
}

/**
 * The answer to what was asked before in the very same words: what may have changed in between
 * passed no proxy, as a switch that an adapter turned.
 */
function askedAgain(seen: Witnessed, { clause, all }: Among): Tampering[] {
  if (!seen.again || isWriting(seen)) return []
  const make = (what: string, change: (other: Witnessed) => KeptAnswer): Tampering => {
    const words = `${said(seen)} asked again: ${what}`
    return alike(seen, { likeness: turnOf, words }, change)
  }
  const opposite = all.findLast(
    (one) =>
      one.endpoint === seen.endpoint && isTaken(one) !== isTaken(seen) && one.answer.status < 500
  )
  const whole = opposite && (isTaken(seen) ? 'refused' : 'taken')
  const [own, more] = fieldsApart(seen, { clause, all })
  return [
    ...(whole ? [make(`${whole} as ${said(opposite)}`, (other) => likened(opposite, other))] : []),
    ...own.map((path) => withoutTruth(path, make)),
    ...ofOtherFate(seen, make),
    ...more.map((path) => withoutTruth(path, make))
  ]
}

/** An accept made out to be that of another request, and a refusal as it is. */
function likened(one: Witnessed, other: Witnessed): KeptAnswer {
  return isTaken(one) ? forged(one, other) : one.answer
}

type Make = (what: string, change: (other: Witnessed) => KeptAnswer) => Tampering

/** The same body, as that of a refusal, or of an accept. */
function ofOtherFate(seen: Witnessed, make: Make): Tampering[] {
  if (!hasBody(seen.answer)) return []
  const status = isTaken(seen) ? 404 : 200
  return [make(`HTTP ${status}`, ({ answer }) => ({ ...answer, status }))]
}

function withoutTruth(path: FieldPath, make: Make): Tampering {
  return make(`another value of ${path.join('.')}`, ({ answer }) =>
    withJson(answer, changedAt(answer.json, path, altered))
  )
}

/** The fields that a clause is named after, and the others. */
function fieldsApart(
  { answer }: Witnessed,
  { clause, all }: Among
): [own: FieldPath[], others: FieldPath[]] {
  const paths = tellingFirst(fieldsOf(answer.json), { all, pathOf: (path) => path })
  const isOwn = (path: FieldPath) => namedAt(path.at(-1)!, clause) >= 0
  return [paths.filter(isOwn), paths.filter((path) => !isOwn(path))]
}

/**
 * A change is taken that was refused, or refused that was taken, and what is read afterwards bears
 * that out: who asks what came of it is told the same untruth.
 */
export function believed(
  seen: Witnessed,
  { opposite, all }: { opposite: Witnessed; all: readonly Witnessed[] }
): Tampering {
  const own = questionOf(seen)
  const isIt = (one: Omit<Witnessed, 'after'>) =>
    questionOf(one) === own && isTaken(one) === isTaken(seen)
  const isAfterTaken = ({ after }: Witnessed) =>
    after !== undefined && kindOf(after) === kindOf(seen) && isTaken(after)
  // What was refused left everything as it was before.
  const isOfOther = (one: Witnessed) =>
    isTaken(seen) ? !isOfSame(one) : isAfterTaken(one) && isOfSame(one)
  const words = `${said(seen)}: ${isTaken(seen) ? 'refused' : 'taken'}, and so is what follows`
  return {
    words,
    key: `${own}\n${words}`,
    change(other) {
      if (isIt(other)) return likened(opposite, other)
      if (isWriting(other) || !other.after || !isIt(other.after) || !isOfSame(other))
        return undefined
      const read = all.findLast((one) => kindOf(one) === kindOf(other) && isOfOther(one))
      return read && likened(read, other)
    }
  }
}

/** Every second thing, and every third one from the third or the first on. */
const rhythms = [
  { every: 2, from: 1, words: 'every second one' },
  { every: 3, from: 2, words: 'every third one' },
  { every: 3, from: 0, words: 'the first and every third one after it' }
]

/**
 * The answers to one question about some things of many, such as every second one: what tells
 * those things apart passed no proxy, and would be compared.
 */
export function ofThings({ clause, shown, all }: Recorded): Tampering[] {
  const kinds = latest(shown, questionOf).filter((seen) => {
    const same = all.filter((one) => questionOf(one) === questionOf(seen))
    return !isWriting(seen) && new Set(same.map(({ asked }) => asked.path)).size > 1
  })
  return inTurn(
    kinds.map((seen) => {
      const paths = fieldsApart(seen, { clause, all }).flat()
      const [second, third, first] = rhythms.map((rhythm) => ofSome(seen, rhythm))
      return inTurn([
        paths.map((path) => withoutTruth(path, second!)),
        paths.map((path) => ofOtherType(path, second!)),
        ...[third!, first!].map((make) => paths.map((path) => withoutTruth(path, make)))
      ])
    })
  )
}

/** Makes tamperings with the answers about some of the things that a question is asked about. */
function ofSome(seen: Witnessed, { every, from, words }: (typeof rhythms)[number]): Make {
  const likeness = (one: Witnessed) =>
    `${questionOf(one)}\n${(one.nth ?? 0) % every === from ? words : ''}`
  return (what, change) =>
    alike(
      { ...seen, nth: from },
      { likeness, words: `${said(seen)}, of ${words}: ${what}` },
      change
    )
}

function ofOtherType(path: FieldPath, make: Make): Tampering {
  return make(`another type of ${path.join('.')}`, ({ answer }) =>
    withJson(answer, changedAt(answer.json, path, retyped))
  )
}

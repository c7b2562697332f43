import { isTelling, type KeptAnswer, withJson } from './answer.ts'
import { altered, changedAt, fieldsOf } from './field.ts'
import { addedFields, type FieldTampering, fieldTamperings } from './field-tampering.ts'
import { forged } from './forgery.ts'
import { alike, inTurn, isTaken, latest, said, type Tampering } from './tampering.ts'
import { isWriting, kindOf, momentOf, questionOf, type Witnessed, wayOf } from './witnessed.ts'

/** What a clause rests on, of all that went by while its scenario looked at an honest target. */
export type Recorded = { clause: string; shown: readonly Witnessed[]; all: readonly Witnessed[] }

/**
 * The tamperings of which one should be seen by whoever judges a clause by these answers, those
 * that most likely make it untrue first: fields of the clause's own name, and then each sort in
 * turn, so that the first few are of every sort.
 */
export function tamperings({ clause, shown, all }: Recorded): Tampering[] {
  const fields = fieldTamperings(shown, { all, likeness: kindOf })
  const isSpread = latest(shown, kindOf).length > latest(shown, wayOf).length
  const spread = isSpread ? fieldTamperings(shown, { all, likeness: wayOf }) : []
  const isOwn = ({ path }: FieldTampering) => isNamed(path.at(-1)!, clause)
  // A clause may be about a field's type, or about its being there, and not about its value.
  const owned = (some: FieldTampering[]) => {
    const byChange = Map.groupBy(some.filter(isOwn), ({ turn }) => turn)
    return inTurn([...byChange.values()]).map(({ tampering }) => tampering)
  }
  const others = (some: FieldTampering[]) =>
    some
      .filter((one) => !isOwn(one))
      .sort((one, other) => one.path.length - other.path.length)
      .map(({ tampering }) => tampering)
  const kinds = latest(shown, kindOf)
  const list = inTurn([
    inTurn([owned(spread), owned(fields)]),
    latest(shown, momentOf).flatMap((one) => ofMoment(one, all)),
    latest(shown, questionOf).flatMap((one) => ofQuestion(one, all)),
    inTurn([others(spread), others(fields)]),
    addedFields(shown, all),
    kinds.flatMap(ofKind),
    kinds.flatMap(ofText),
    ofHeaders(kinds, all)
  ])
  return [...new Map(list.map((one) => [one.key, one])).values()]
}

/** Whether a clause is named after a field. */
function isNamed(name: string, clause: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z\d]/g, '')
  return plain(name).length > 1 && plain(clause).includes(plain(name))
}

/** The whole answer to one question: refused, taken, of another status, that of another request. */
function ofQuestion(seen: Witnessed, all: readonly Witnessed[]): Tampering[] {
  const { status } = seen.answer
  const own = questionOf(seen)
  const make = (what: string, change: (other: Witnessed) => KeptAnswer): Tampering => {
    const words = `${said(seen)}, HTTP ${status}: ${what}`
    return alike(seen, { likeness: questionOf, words }, change)
  }
  const near = all.filter((one) => kindOf(one) === kindOf(seen))
  const far = all.filter((one) => one.endpoint === seen.endpoint)
  const opposite = [near, far].flatMap(
    (some) =>
      some.findLast((one) => isTaken(one) !== isTaken(seen) && one.answer.status < 500) ?? []
  )[0]
  const isOther = (one: Witnessed) =>
    questionOf(one) !== own && one.answer.text !== undefined && one.answer.text !== seen.answer.text
  const others = [near.find(isOther), near.findLast(isOther), far.findLast(isOther)]
  const swapped = isTaken(seen) ? [404, 200, 202] : [200, status === 400 ? 422 : 400]
  return [
    ...(opposite && isTaken(seen)
      ? [make(`refused as ${said(opposite)}`, () => opposite.answer)]
      : []),
    ...(opposite && !isTaken(seen)
      ? [make(`taken as ${said(opposite)}`, (other) => forged(opposite, other))]
      : []),
    ...swapped
      .filter((one) => one !== status && hasBody(seen))
      .map((one) => make(`HTTP ${one}`, ({ answer }) => ({ ...answer, status: one }))),
    ...others.flatMap((one) =>
      one ? make(`the answer of ${said(one)}, HTTP ${one.answer.status}`, () => one.answer) : []
    )
  ]
}

/** The answer to a question at one of its moments: as at another one, or refused. */
function ofMoment(seen: Witnessed, all: readonly Witnessed[]): Tampering[] {
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
  const status = isTaken(seen) ? 404 : 200
  return [
    ...(stale ? [make('as at another time', () => stale.answer)] : []),
    ...(hasBody(seen) ? [make(`HTTP ${status}`, ({ answer }) => ({ ...answer, status }))] : []),
    ...fieldsOf(seen.answer.json).map((path) =>
      make(`another value of ${path.join('.')}`, ({ answer }) =>
        withJson(answer, changedAt(answer.json, path, altered))
      )
    )
  ]
}

/** Whether the body is known, so that it can be sent again with another status. */
function hasBody({ answer }: Witnessed): boolean {
  return answer.text !== undefined
}

/** All answers to a kind of request: of another status, whatever they say. */
function ofKind(seen: Witnessed): Tampering[] {
  if (!hasBody(seen)) return []
  const status = isTaken(seen) ? 404 : 200
  const words = `${kindOf(seen)}, all ${isTaken(seen) ? 'taken' : 'refused'}: HTTP ${status}`
  return [alike(seen, { likeness: kindOf, words }, ({ answer }) => ({ ...answer, status }))]
}

/** A body that is no JSON, or is to be none. */
function ofText(seen: Witnessed): Tampering[] {
  const changes: [string, (text: string) => string][] = [
    ['an empty body', () => ''],
    ['a body without its last character', (text) => text.slice(0, -1)],
    ['a body with one character more', (text) => `${text}x`]
  ]
  if (!seen.answer.text) return []
  return changes.map(([what, change]) =>
    alike(seen, { likeness: kindOf, words: `${kindOf(seen)}: ${what}` }, ({ answer }) =>
      answer.text === undefined ? undefined : { ...answer, text: change(answer.text) }
    )
  )
}

/** Headers, each gone or another; first those that the fewest answers have, which say the most. */
function ofHeaders(kinds: readonly Witnessed[], all: readonly Witnessed[]): Tampering[] {
  const bearers = (name: string) => all.filter(({ answer }) => name in answer.headers).length
  return kinds
    .flatMap((seen) => Object.keys(seen.answer.headers).map((name) => ({ seen, name })))
    .filter(({ name }) => isTelling(name))
    .map((one) => ({ ...one, count: bearers(one.name) }))
    .sort((one, other) => one.count - other.count)
    .flatMap(({ seen, name }) => ofHeader(seen, name))
}

function ofHeader(seen: Witnessed, name: string): Tampering[] {
  return (['another', 'gone'] as const).map((what) => {
    const words = `${kindOf(seen)}: header ${name} ${what}`
    return alike(seen, { likeness: kindOf, words }, ({ answer }) => {
      const { [name]: value, ...headers } = answer.headers
      if (value === undefined) return undefined
      const changed = what === 'gone' ? headers : { ...headers, [name]: altered(value) as string }
      return { ...answer, headers: changed }
    })
  })
}

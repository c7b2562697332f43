import { hasBody, isTelling, type KeptAnswer } from './answer.ts'
import { altered } from './field.ts'
import { addedFields, type FieldTampering, fieldTamperings } from './field-tampering.ts'
import { forged } from './forgery.ts'
import { namedAt, tellingFirst } from './naming.ts'
import { alike, inTurn, isTaken, latest, type Recorded, said, type Tampering } from './tampering.ts'
import { believed, ofThings, timedTamperings } from './timed-tampering.ts'
import { isWriting, kindOf, questionOf, type Witnessed, wayOf } from './witnessed.ts'

/**
 * The tamperings of which one should be seen by whoever judges a clause by these answers, those
 * that most likely make it untrue first: fields of the clause's own name, and then each sort in
 * turn, so that the first few are of every sort.
 */
export function tamperings({ clause, shown, all }: Recorded): Tampering[] {
  const fields = fieldTamperings(shown, { all, likeness: kindOf })
  const isSpread = latest(shown, kindOf).length > latest(shown, wayOf).length
  const spread = isSpread ? fieldTamperings(shown, { all, likeness: wayOf }) : []
  const placeOf = ({ path }: FieldTampering) => namedAt(path.at(-1)!, clause)
  const isOwn = (one: FieldTampering) => placeOf(one) >= 0
  const lengthOf = ({ path }: FieldTampering) => path.at(-1)!.length
  const byPlace = (one: FieldTampering, other: FieldTampering) =>
    placeOf(one) - placeOf(other) || lengthOf(other) - lengthOf(one) || one.turn - other.turn
  // A clause may be about a field's type, or about its being there, and not about its value; and
  // about what is taken, or about what is refused. What it is about is named before the condition.
  const owned = (some: FieldTampering[]) => {
    const sorts = Map.groupBy(some.filter(isOwn).sort(byPlace), ({ path, turn, fate }) =>
      [...path, turn, fate].join('\n')
    )
    return inTurn([...sorts.values()]).map(({ tampering }) => tampering)
  }
  const others = (some: FieldTampering[]) => {
    const unnamed = some.filter((one) => !isOwn(one))
    const ordered = tellingFirst(unnamed, { all, pathOf: ({ path }) => path })
    return ordered.map(({ tampering }) => tampering)
  }
  const kinds = latest(shown, kindOf)
  const own = inTurn([owned(spread), owned(fields)])
  const list = inTurn([
    own.filter((_, at) => at % 2 === 0),
    timedTamperings({ clause, shown, all }),
    own.filter((_, at) => at % 2 === 1),
    latest(shown, questionOf).flatMap((one) => ofQuestion(one, all)),
    ofThings({ clause, shown, all }),
    inTurn([others(spread), others(fields)]),
    addedFields({ clause, shown, all }),
    kinds.flatMap((one) => ofKind(one, all)),
    kinds.flatMap(ofText),
    ofHeaders(kinds, all)
  ])
  return [...new Map(list.map((one) => [one.key, one])).values()]
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
  const isBelieved = isWriting(seen) && (isTaken(seen) || near.some((one) => one === opposite))
  return [
    ...(opposite && isBelieved ? [believed(seen, { opposite, all })] : []),
    ...(opposite && isTaken(seen)
      ? [make(`refused as ${said(opposite)}`, () => opposite.answer)]
      : []),
    ...(opposite && !isTaken(seen)
      ? [make(`taken as ${said(opposite)}`, (other) => forged(opposite, other))]
      : []),
    ...swapped
      .filter((one) => one !== status && hasBody(seen.answer))
      .map((one) => make(`HTTP ${one}`, ({ answer }) => ({ ...answer, status: one }))),
    ...others.flatMap((one) =>
      one ? make(`the answer of ${said(one)}, HTTP ${one.answer.status}`, () => one.answer) : []
    )
  ]
}

/** All answers to a kind of request, whoever asks: of another status, and taken as one was. */
function ofKind(seen: Witnessed, all: readonly Witnessed[]): Tampering[] {
  const make = (what: string, change: (other: Witnessed) => KeptAnswer): Tampering => {
    const words = `${kindOf(seen)}, all ${isTaken(seen) ? 'taken' : 'refused'}: ${what}`
    return alike(seen, { likeness: kindOf, words }, change)
  }
  const status = isTaken(seen) ? 404 : 200
  const accept = all.findLast((one) => kindOf(one) === kindOf(seen) && isTaken(one))
  return [
    ...(accept && !isTaken(seen)
      ? [make(`taken as ${said(accept)}`, (other) => forged(accept, other))]
      : []),
    ...(hasBody(seen.answer)
      ? [make(`HTTP ${status}`, ({ answer }) => ({ ...answer, status }))]
      : [])
  ]
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

/** So many values that a header had elsewhere are tried, once all were gone and another. */
const elsewhere = 2

/** Headers that any of a kind has; first those that the fewest answers have, which say the most. */
function ofHeaders(kinds: readonly Witnessed[], all: readonly Witnessed[]): Tampering[] {
  const bearers = (name: string) => all.filter(({ answer }) => name in answer.headers).length
  const namesOf = (seen: Witnessed) => {
    const own = all.filter((one) => kindOf(one) === kindOf(seen) && isTaken(one) === isTaken(seen))
    return [...new Set(own.flatMap(({ answer }) => Object.keys(answer.headers)))]
  }
  const each = kinds
    .flatMap((seen) => namesOf(seen).map((name) => ({ seen, name })))
    .filter(({ name }) => isTelling(name))
    .map((one) => ({ ...one, count: bearers(one.name) }))
    .sort((one, other) => one.count - other.count)
  const valuesOf = ({ seen, name }: { seen: Witnessed; name: string }) => {
    const near = all.filter(({ endpoint }) => endpoint === seen.endpoint)
    return [...new Set(near.flatMap(({ answer }) => answer.headers[name] ?? []))]
  }
  return [
    ...each.flatMap(({ seen, name }) => ofHeader(seen, { name, changes: whatever })),
    ...each.flatMap((one) => {
      const changes = valuesOf(one)
        .slice(-elsewhere)
        .map((value): HeaderChange => [`as elsewhere, "${value.slice(0, 60)}"`, () => value])
      return ofHeader(one.seen, { name: one.name, changes })
    })
  ]
}

type HeaderChange = [what: string, change: (value: string) => string | undefined]

const whatever: HeaderChange[] = [
  ['another', (value) => altered(value) as string],
  ['gone', () => undefined]
]

/** A header that is gone, is no such value, or says what it said in answers to others. */
function ofHeader(
  seen: Witnessed,
  { name, changes }: { name: string; changes: HeaderChange[] }
): Tampering[] {
  return changes.map(([what, change]) => {
    const words = `${kindOf(seen)}: header ${name} ${what}`
    return alike(seen, { likeness: kindOf, words }, ({ answer }) => {
      const { [name]: value, ...headers } = answer.headers
      if (value === undefined) return undefined
      const changed = change(value)
      if (changed === undefined) return { ...answer, headers }
      return { ...answer, headers: { ...headers, [name]: changed } }
    })
  })
}

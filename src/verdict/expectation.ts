import * as v from 'valibot'
import { complaintBy, isDay, parseWritten } from '../written.ts'
import { indexed, type Subject, type SubjectIndex } from './subject.ts'
import { contradicting, type Verdict } from './verdict.ts'

/** The schema that an expectation file names. */
export const schemaName = 'plimsoll-expectations/1'

const text = (meaning: string) =>
  v.pipe(
    v.string(),
    v.check((value) => value.trim() !== ''),
    v.description(meaning)
  )
const deviation = v.strictObject({
  clause: text('The id of a clause that is known not to hold'),
  scenario: v.optional(
    text('Where several scenarios judge the clause: the one that may find it not to hold')
  ),
  observed: v.optional(
    text('What the failure has to look like; without it any failure of the clause is accepted')
  ),
  reason: text('Why it is accepted'),
  until: v.pipe(
    v.string(),
    v.check(isDay),
    v.description('The last day on which it is accepted, in UTC: 2027-03-31')
  )
})
const observation = v.strictObject({
  clause: text('The id of a clause that the document leaves open'),
  scenario: text('The id of the scenario that observes it'),
  observed: v.pipe(v.string(), v.description('What was observed, as the report says it'))
})
/** What an expectation file has to look like. */
export const expectationsSchema = v.strictObject({
  $schema: v.optional(v.string()),
  schema: v.literal(schemaName),
  deviations: v.optional(v.array(deviation), []),
  observations: v.optional(v.array(observation), [])
})

/** A clause that is known not to hold, and until when that is accepted, and why. */
export type KnownDeviation = v.InferOutput<typeof deviation>

/** What a target was seen to do, last time, where its document is silent. */
export type KnownObservation = v.InferOutput<typeof observation>

/** What is known of a target beforehand, as an expectation file says it. */
export type Expectations = v.InferOutput<typeof expectationsSchema>

const rules = {
  schema: `"${schemaName}"`,
  deviations: 'a list of { clause, reason, until }',
  observations: 'a list of { clause, scenario, observed }',
  clause: 'the id of a clause',
  scenario: 'the id of a scenario',
  reason: 'why it is accepted, in words',
  until: 'the last day on which it is accepted, such as 2027-03-31',
  observed: 'what was observed, as the report says it'
}

/** What an expectation file says; throws an Error that names the file, the field and the fix. */
export function parseExpectations(text: string, file: string): Expectations {
  const complaint = complaintBy(rules, `it must be an object with "schema": "${schemaName}"`)
  const expectations = parseWritten(expectationsSchema, { text, file, complaint })
  const { deviations, observations } = expectations
  const twice = repeated('deviations', deviations) ?? repeated('observations', observations)
  if (twice !== undefined) throw new Error(`${file}: ${twice}`)
  return expectations
}

/** What is wrong where two entries of one list are about the same. */
function repeated(list: string, entries: readonly Subject[]): string | undefined {
  const places = new Map<string, number>()
  for (const [index, { clause, scenario = '' }] of entries.entries()) {
    const first = places.get(`${scenario} ${clause}`)
    if (first !== undefined) {
      const of = scenario === '' ? '' : ` of ${scenario}`
      return `${list}.${index} is about ${clause}${of}, as ${list}.${first} is: remove one of them`
    }
    places.set(`${scenario} ${clause}`, index)
  }
  return undefined
}

/** Whether an entry is about a verdict, or about what a scenario claims. */
export function isAbout(entry: Subject, { clause, scenario }: Required<Subject>): boolean {
  return entry.clause === clause && (entry.scenario ?? scenario) === scenario
}

/** The indexes of lists that entries were looked up in; what was read from a file never changes. */
const indexes = new WeakMap<readonly Subject[], SubjectIndex<Subject>>()

/** The entry about a verdict; one that names its scenario before one that does not. */
export function entryFor<Entry extends Subject>(
  entries: readonly Entry[],
  { clause, scenario }: Required<Subject>
): Entry | undefined {
  const index = (indexes.get(entries) ?? indexed(entries)) as SubjectIndex<Entry>
  indexes.set(entries, index)
  return index.of(clause, scenario)[0] ?? index.of(clause)[0]
}

/**
 * A verdict in the light of what is known beforehand; `day` is the day it was come to, as in
 * 2027-03-31. What was observed is never touched.
 *
 * | verdict             | and the file                                             | becomes     |
 * | ------------------- | -------------------------------------------------------- | ----------- |
 * | `fail`, `warning`   | accepts it, looking like this, on this day               | `deviation` |
 * | `fail`, `warning`   | accepted it until an earlier day, or looking differently | stays       |
 * | `observed`          | has another text from last time                          | `changed`   |
 *
 * Every other verdict stays as it is: nobody can know beforehand that something will not be found
 * out, so what is inconclusive, blocked or an error never becomes better.
 */
export function expected<Judged extends Verdict>(
  verdict: Judged,
  { deviations, observations }: Expectations,
  day: string
): Judged {
  const { outcome, observed, because } = verdict
  if (contradicting.includes(outcome)) {
    const entry = entryFor(deviations, verdict)
    return entry ? { ...verdict, ...weighed(verdict, entry, day) } : verdict
  }
  const before = outcome === 'observed' ? entryFor(observations, verdict)?.observed : undefined
  if (before === undefined || before === observed) return verdict
  const [silence] = because.split(';')
  return {
    ...verdict,
    outcome: 'changed',
    because: `${silence}; it was “${before}” last time, and is “${observed}”`
  }
}

/** What an entry makes of a failure. */
function weighed(
  { outcome, observed, because }: Verdict,
  entry: KnownDeviation,
  day: string
): Pick<Verdict, 'outcome' | 'because'> {
  const { until, reason } = entry
  if (day > until) {
    const expired = `the acceptance (${reason}) expired on ${until}`
    return { outcome, because: `${because}; ${expired}` }
  }
  if (entry.observed !== undefined && entry.observed !== observed) {
    const other = `it looks different from what is accepted, “${entry.observed}” (${reason})`
    return { outcome, because: `${because}; ${other}` }
  }
  return { outcome: 'deviation', because: `${because}; accepted until ${until}: ${reason}` }
}

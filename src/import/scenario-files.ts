import type { AnswerClauses } from '../scenario/answers.ts'
import { createIds } from '../scenario/clause-id.ts'
import { redirectsOf } from '../scenario/redirects.ts'
import { refusalIds } from '../scenario/refusals.ts'
import { code, inComment, keyOf, quoted } from './code.ts'
import type { HowAsked } from './how-asked.ts'
import { type LimitClause, limitFile } from './limit-file.ts'
import { type ImportedOperation, successes } from './operations.ts'
import type { Files } from './project.ts'
import type { ImportedRate } from './rates.ts'
import type { RefusalPlan } from './refusals.ts'
import type { RequestClause, RequestPlan } from './request-plan.ts'
import { type CredentialClause, shownOf } from './shown.ts'
import type { WrittenClause } from './written-clause.ts'

const checkFile = (options: {
  words: string[]
  about: string
  head: string
  title: string
  clauses: string
  run: string
}) => `import { ${options.words.toSorted().join(', ')} } from 'plimsoll'
import { request } from './_request.ts'

/** ${inComment(options.about)} */
${options.head}

export default check({
  title: ${quoted(options.title)},
  clauses: ${options.clauses},
  needs: ['service'],
  run: (context) => ${options.run}
})
`

const sectionOf = ({ method, path }: ImportedOperation) => `${method} ${path}`

function sidesFile(operation: ImportedOperation, clauses: readonly RequestClause[]): string {
  const sides = clauses.map(({ clause, at, asked, also, beside, related, last, listOfOne }) => {
    const own = also ?? (asked as HowAsked & { form: 'sides' })
    const { accepted, refused, ends, coerced, isListed } = own
    return [
      clause.id,
      {
        ...{ at, ...(accepted.length > 0 && { accepted }), ...(refused.length > 0 && { refused }) },
        ...(ends && { ends }),
        ...(coerced && { coerced }),
        ...(related && (accepted.length > 0 || ends) && { related }),
        ...(beside && { beside }),
        ...(last && refused.length > 0 && { last }),
        ...(isListed && { isListed }),
        ...(accepted.length > 0 && listOfOne !== undefined && { listOfOne })
      }
    ]
  })
  const table = code(Object.fromEntries(sides))
  const isMissing = /\babsent\b/.test(table)
  return checkFile({
    words: ['check', 'judgeSides', ...(isMissing ? ['absent'] : [])],
    about:
      'By clause: a place in the request, values that are taken there, and values that are not.',
    head: `const sides = ${table}`,
    title: `${sectionOf(operation)} takes what is documented, and refuses what is not`,
    clauses: 'Object.keys(sides)',
    run: 'judgeSides(request, sides, context)'
  })
}

function credentialsFile(
  operation: ImportedOperation,
  clauses: readonly CredentialClause[]
): string {
  // All of them: where there is a choice, another one would let in.
  const [none, wrong] = (['none', 'wrong'] as const).map((kind) => shownOf(operation, kind))
  const shown = { none, wrong, altered: Object.keys(none!) }
  const table = clauses.flatMap(({ clause, kind }) =>
    kind === 'scope' || kind === 'part' ? [] : [[clause.id, shown[kind]]]
  )
  return checkFile({
    words: ['check', 'judgeCredentials'],
    about:
      'By clause: headers and places that differ from those of a request that is let in. In a ' +
      'list, those that are cut short, and have more behind them.',
    head: `const headers = ${code(Object.fromEntries(table))}`,
    title: `${sectionOf(operation)} lets nobody in without a credential, or with another one`,
    clauses: 'Object.keys(headers)',
    run: 'judgeCredentials(request, headers, context)'
  })
}

function partFile(
  operation: ImportedOperation,
  { clause, ways }: CredentialClause & { kind: 'part' }
): string {
  return checkFile({
    words: ['check', 'judgeParts'],
    about: 'By clause: ways to be let in, each as what is shown together.',
    head: `const ways = ${code({ [clause.id]: ways })}`,
    title: `${sectionOf(operation)} lets nobody in with a part of what is shown together`,
    clauses: 'Object.keys(ways)',
    run: 'judgeParts(request, ways, context)'
  })
}

function scopeFile(
  operation: ImportedOperation,
  { clause, shown }: CredentialClause & { kind: 'scope' }
): string {
  const others = shown.without.map((name) => `${keyOf(name)}: undefined, `).join('')
  return `import { check, credentialsLacking, judgeCredentials } from 'plimsoll'
import { request } from './_request.ts'

/** The scopes that let in, each list by itself. */
const scopes = ${code(shown.ways)}

export default check({
  title: ${quoted(`${sectionOf(operation)} lets nobody in whose credential is for something else`)},
  clauses: [${quoted(clause.id)}],
  needs: ['service'],
  async run(context) {
    for (const limited of credentialsLacking(scopes, await request.samples())) {
      const headers = { ${others}${keyOf(shown.header)}: limited }
      await judgeCredentials(request, { ${keyOf(clause.id)}: headers }, context)
    }
  }
})
`
}

function answersFile(operation: ImportedOperation, ids: AnswerClauses): string {
  const { headers, headerShapes, ...plain } = ids
  return checkFile({
    words: ['check', 'judgeAnswer'],
    about: 'The clauses about the answer to a valid request.',
    head: `const clauses = ${code(ids)}`,
    title: `${sectionOf(operation)} is answered as documented`,
    clauses: `[${[
      ...Object.keys(plain).map((name) => `clauses.${name}`),
      ...(headers ? ['...Object.values(clauses.headers)'] : []),
      ...(headerShapes ? ['...Object.values(clauses.headerShapes)'] : [])
    ].join(', ')}]`,
    run: 'judgeAnswer(request, clauses, context)'
  })
}

function refusalsFile(operation: ImportedOperation, plan: RefusalPlan): string {
  const provocations = code(plan.provocations)
  const all = Object.values(plan.clauses).flatMap(refusalIds)
  const isPlain = Object.values(plan.clauses).every((one) => typeof one === 'string')
  const isMissing = /\babsent\b/.test(provocations)
  return checkFile({
    words: ['check', 'judgeRefusals', ...(isMissing ? ['absent'] : [])],
    about: 'By status: the clauses about refusals with it; and what is refused.',
    head: `const clauses = ${code(plan.clauses)}\n\nconst provocations = ${provocations}`,
    title: `${sectionOf(operation)} is refused as documented`,
    clauses: isPlain ? 'Object.values(clauses)' : code(all, 2),
    run: 'judgeRefusals(request, clauses, provocations, context)'
  })
}

function contentTypeFile(operation: ImportedOperation, { clause, asked }: RequestClause): string {
  const { accepted, refused } = asked as { accepted: unknown[]; refused: unknown[] }
  // A body that may be left out is there to be refused.
  const changes = accepted.length > 0 ? { changes: { body: accepted[0] } } : {}
  return checkFile({
    words: ['check', 'judgeRefused'],
    about: 'By clause: how the valid request is sent, and refused.',
    head: `const manners = ${code({ [clause.id]: { contentType: refused[0], ...changes } })}`,
    title: `${sectionOf(operation)} refuses a body of a type that is not documented`,
    clauses: 'Object.keys(manners)',
    run: 'judgeRefused(request, manners, context)'
  })
}

/** Longest window in seconds that is waited for in a run of minutes, and most requests of it. */
const longest = 60
const most = 10_000

/** Whether the questions of a scenario can wait for each other: it is ended after two minutes. */
export const isQuick = ({ seconds, requests }: ImportedRate) =>
  requests / seconds >= 1.5 && seconds <= 30

/** The clause about how often an operation may be asked. */
export type RateClause = { clause: WrittenClause; rate: ImportedRate }

/** Whether a rate can be asked about at all: others take hours, or are a load. */
export const isAskable = ({ seconds, requests }: Pick<ImportedRate, 'seconds' | 'requests'>) =>
  seconds <= longest && requests <= most

function rateFile(
  operation: ImportedOperation,
  { clause, rate }: RateClause,
  expected: readonly number[]
): string {
  const { requests, seconds } = rate
  const often = `${requests} times in ${seconds} s`
  return `import { check, judgeRate } from 'plimsoll'
import { request } from './_request.ts'

/** It waits for a window without any request first, so nothing else may run meanwhile. */
const rate = ${code({ clause: clause.id, requests, seconds })}

export default check({
  title: ${quoted(`${sectionOf(operation)} is served ${often}, and not more often`)},
  clauses: [rate.clause],
  tier: 'full',
  alone: ['everything'],
  expectedReplies: [${expected.join(', ')}],
  needs: ['service'],
  run: (context) => judgeRate(request, rate, context)
})
`
}

/** All that is known of an operation. */
export type OperationPlan = {
  operation: ImportedOperation
  request: RequestPlan
  identities: CredentialClause[]
  answers: AnswerClauses
  refusals?: RefusalPlan
  rate?: RateClause
}

/** Longest name of a file: many a file system takes 255 bytes. */
const longestName = 200

/** The files of scenarios of an operation, by their names in its folder. */
export function scenarioFiles({
  operation,
  request,
  identities,
  answers,
  refusals,
  rate
}: OperationPlan): Files {
  const files: Files = {}
  const sides = request.clauses.filter(
    ({ asked, at, also }) =>
      (asked.form === 'sides' || (asked.form === 'limit' && also)) && at !== 'content-type'
  )
  const nameOf = createIds()
  for (const one of request.clauses) {
    const place = one.clause.id.slice(operation.name.length + 1).replaceAll('.', '-')
    const name = nameOf(place.length > longestName ? place.slice(-longestName) : place)
    if (one.asked.form === 'limit') files[`${name}.ts`] = limitFile(one as LimitClause)
    if (one.at === 'content-type') files[`${name}.ts`] = contentTypeFile(operation, one)
  }
  if (sides.length > 0) files['values.ts'] = sidesFile(operation, sides)
  const plain = identities.filter(({ kind }) => kind !== 'scope' && kind !== 'part')
  if (plain.length > 0) files['auth.ts'] = credentialsFile(operation, plain)
  const part = identities.find((one) => one.kind === 'part')
  if (part) files['auth-part.ts'] = partFile(operation, part)
  const scope = identities.find((one) => one.kind === 'scope')
  if (scope) files['auth-scope.ts'] = scopeFile(operation, scope)
  if (Object.keys(answers).length > 0) files['answers.ts'] = answersFile(operation, answers)
  if (refusals) files['refusals.ts'] = refusalsFile(operation, refusals)
  const redirects = successes(operation).flatMap(([status]) => redirectsOf(status))
  // The others come too often as well, and ask again then.
  const isOften = rate !== undefined && isQuick(rate.rate)
  return {
    ...expecting(files, isOften ? [...redirects, 429] : redirects),
    ...(rate && { 'rate.ts': rateFile(operation, rate, [...redirects, 429]) })
  }
}

/** The same files of scenarios, in which some statuses are evidence that are none elsewhere. */
function expecting(files: Files, statuses: readonly number[]): Files {
  if (statuses.length === 0) return files
  const line = `  expectedReplies: [${statuses.join(', ')}],\n`
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [
      name,
      text.replace(/^ {2}needs: /m, (needs) => line + needs)
    ])
  )
}

import { createIds } from '../scenario/clause-id.ts'
import { placeBelow } from '../scenario/place.ts'
import { code, inComment, keyOf, quoted } from './code.ts'
import type { LimitValue } from './how-asked.ts'
import type { ImportedOperation, Scheme } from './operations.ts'
import type { Files } from './project.ts'
import type { ImportedRate } from './rates.ts'
import type { RequestClause, RequestPlan } from './request-plan.ts'
import type { WrittenClause } from './written-clause.ts'

type LimitClause = RequestClause & { asked: { form: 'limit' } }

/** What is sent of a number `n`, as TypeScript. */
function sentValue(value: LimitValue): string {
  if (value.kind === 'number') return 'n'
  if (value.kind === 'list') {
    const item = value.isVaried ? "(_, index) => 'x' + index" : `() => (${code(value.item)})`
    return `Array.from({ length: n }, ${item})`
  }
  if (value.kind === 'object') {
    const members = `(_, index) => [\`x\${index}\`, ${code(value.item)}]`
    return `Object.fromEntries(Array.from({ length: n }, ${members}))`
  }
  const { head, fill, tail } = value.sized
  const rest = [...head, ...tail].length
  const middle = `${quoted(fill)}.repeat(${rest > 0 ? `n - ${rest}` : 'n'})`
  const [before, after] = [head, tail].map((text) => (text === '' ? [] : [quoted(text)]))
  return [...before!, middle, ...after!].join(' + ')
}

function limitFile({ clause, at, asked }: LimitClause): string {
  const { max, smallest, resolution = 1, value } = asked
  const amount = value.kind === 'number' ? max : `${max} ${clause.unit}`
  const lines = [
    `  title: ${quoted(`${clause.section}: ${at} may be up to ${amount}, and not more`)},`,
    ...(max > 1_000_000 ? [`  tier: 'full',`] : []),
    `  max: ${max},`,
    `  clause: ${quoted(clause.id)},`,
    `  unit: ${quoted(clause.unit!)},`,
    ...(smallest === 1 ? [] : [`  smallest: ${smallest},`]),
    ...(resolution === 1 ? [] : [`  resolution: ${resolution},`]),
    `  ceiling: 2,`,
    `  needs: ['service'],`,
    `  probe: (n, context) => request.put(context, { ${keyOf(at)}: ${sentValue(value)} })`
  ]
  return `import { limit } from 'plimsoll'
import { request } from './_request.ts'

export default limit({
${lines.join('\n')}
})
`
}

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
  const sides = clauses.map(({ clause, at, asked, listOfOne }) => {
    const { accepted, refused } = asked as { accepted: unknown[]; refused: unknown[] }
    return [
      clause.id,
      {
        ...{ at, ...(accepted.length > 0 && { accepted }), ...(refused.length > 0 && { refused }) },
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

/** The header of a credential that is for something else, and those that are left out with it. */
export type ScopeShown = {
  header: string
  without: readonly string[]
  /** The scopes that let in, each list by itself. */
  ways: readonly string[][]
}

/** The clauses about who is let in, with what is shown. */
export type CredentialClause =
  | { clause: WrittenClause; kind: 'none' | 'wrong' }
  | { clause: WrittenClause; kind: 'scope'; shown: ScopeShown }

/** A header by its name, another place as places are written: `query.api_key`. */
const shownAt = ({ in: place, parameter }: Scheme) =>
  place === 'header' ? parameter.toLowerCase() : placeBelow(place, parameter)

function credentialsFile(
  operation: ImportedOperation,
  clauses: readonly CredentialClause[]
): string {
  // All of them: where there is a choice, another one would let in.
  const each = (of: (scheme: Scheme) => string | undefined) =>
    Object.fromEntries(operation.security.toReversed().map((one) => [shownAt(one), of(one)]))
  const shown = { none: each(() => undefined), wrong: each(({ wrong }) => wrong) }
  const table = clauses.flatMap(({ clause, kind }) =>
    kind === 'scope' ? [] : [[clause.id, shown[kind]]]
  )
  return checkFile({
    words: ['check', 'judgeCredentials'],
    about: 'By clause: headers and places that differ from those of a request that is let in.',
    head: `const headers = ${code(Object.fromEntries(table))}`,
    title: `${sectionOf(operation)} lets nobody in without a credential, or with another one`,
    clauses: 'Object.keys(headers)',
    run: 'judgeCredentials(request, headers, context)'
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

/** Ids of clauses about answers, by what they are about. */
export type AnswerClauseIds = {
  status?: string
  contentType?: string
  headers?: Record<string, string>
  body?: string
}

function answersFile(operation: ImportedOperation, ids: AnswerClauseIds): string {
  const { headers, ...plain } = ids
  return checkFile({
    words: ['check', 'judgeAnswer'],
    about: 'The clauses about the answer to a valid request.',
    head: `const clauses = ${code(ids)}`,
    title: `${sectionOf(operation)} is answered as documented`,
    clauses: `[${[
      ...Object.keys(plain).map((name) => `clauses.${name}`),
      ...(headers ? ['...Object.values(clauses.headers)'] : [])
    ].join(', ')}]`,
    run: 'judgeAnswer(request, clauses, context)'
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

function rateFile(operation: ImportedOperation, { clause, rate }: RateClause): string {
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
  expectedReplies: [429],
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
  answers: AnswerClauseIds
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
  rate
}: OperationPlan): Files {
  const files: Files = {}
  const sides = request.clauses.filter(
    ({ asked, at }) => asked.form === 'sides' && at !== 'content-type'
  )
  const nameOf = createIds()
  for (const one of request.clauses) {
    const place = one.clause.id.slice(operation.name.length + 1).replaceAll('.', '-')
    const name = nameOf(place.length > longestName ? place.slice(-longestName) : place)
    if (one.asked.form === 'limit') files[`${name}.ts`] = limitFile(one as LimitClause)
    if (one.at === 'content-type') files[`${name}.ts`] = contentTypeFile(operation, one)
  }
  if (sides.length > 0) files['values.ts'] = sidesFile(operation, sides)
  const plain = identities.filter(({ kind }) => kind !== 'scope')
  if (plain.length > 0) files['auth.ts'] = credentialsFile(operation, plain)
  const scope = identities.find((one) => one.kind === 'scope')
  if (scope) files['auth-scope.ts'] = scopeFile(operation, scope)
  if (Object.keys(answers).length > 0) files['answers.ts'] = answersFile(operation, answers)
  if (rate === undefined) return files
  const own = rateFile(operation, rate)
  if (!isQuick(rate.rate)) return { ...files, 'rate.ts': own }
  // The others come too often as well, and ask again then.
  const often = Object.entries(files).map(([name, text]) => [
    name,
    text.replace(/^ {2}needs: /m, '  expectedReplies: [429],\n  needs: ')
  ])
  return { ...Object.fromEntries(often), 'rate.ts': own }
}

import { compile, message, parseExpression } from '../expression/expression.ts'
import { type InspectedFacts, inspectedFields } from './inspected.ts'

/** What a signature is about. */
export const categories = ['injection', 'scripting', 'traversal', 'protocol'] as const

/** A kind of attack; the rule groups of the previous WAF are these. */
export type Category = (typeof categories)[number]

/** How bad a match is, as the anomaly score it adds. */
const severity = { critical: 5, error: 4, warning: 3, notice: 2 }

/** One way to recognise an attack by the head of a request. */
export type Signature = {
  name: string
  category: Category
  description: string
  /** From which paranoia level on it is looked for, 1 to 4. */
  paranoia: number
  score: number
  expression: string
}

type Described = [
  name: string,
  description: string,
  expression: string,
  more?: { paranoia?: number; severity?: keyof typeof severity }
]

/** Whether the text has a word; to look for one costs next to nothing. */
const has = (word: string) => `waf.text contains "${word}"`

/** Whether a pattern is found in the text, which is only looked for where the word is. */
const text = (pattern: string, word?: string) =>
  `${word === undefined ? '' : `${has(word)} and `}waf.text matches r#"(?s)${pattern}"#`

const injection: Described[] = [
  ['union-select', 'SQL: a second query', text('\\bunion\\b.{1,40}\\bselect\\b', 'union')],
  ['select-from', 'SQL: a query of its own', text('\\bselect\\b.{1,60}\\bfrom\\b', 'select')],
  ['tautology', 'SQL: always true', text('\\bor\\b[\\s\'"(]+\\w+[\'")]*\\s*=', 'or')],
  ['stacked-query', 'SQL: another statement', text(';\\s*(drop|insert|delete)\\s', ';')],
  ['schema', 'SQL: tables about tables', `${has('information_schema')} or ${has('sqlite_master')}`],
  ['timing', 'SQL: a query that waits', text('\\b(sleep|benchmark|pg_sleep)\\s*\\(', '(')],
  ['shell', 'A shell command behind another', text('[;|&`]\\s*(cat|id|wget|curl|bash|nc)\\s')],
  ['substitution', 'A shell’s output', text('\\$\\([a-z/]', '$('), { paranoia: 2 }],
  ['quote-comment', 'A quote, and a comment', text('[\'"]\\s*(--|#)'), { paranoia: 2 }]
]

const scripting: Described[] = [
  ['script-tag', 'HTML: a script', text('<\\s*script\\b', '<')],
  ['event-handler', 'HTML: a handler of events', text('\\bon(error|load|click|focus)\\s*=', 'on')],
  ['script-uri', 'A URL that is a script', text('javascript\\s*:', 'javascript')],
  ['script-call', 'JavaScript: a call', text('\\b(alert|eval|prompt)\\s*\\(', '(')],
  ['document', 'JavaScript: the page', text('\\bdocument\\s*\\.\\s*(cookie|write)', 'document')],
  ['active-tag', 'HTML: loads', text('<\\s*(iframe|object|svg|img)\\b', '<'), { paranoia: 2 }]
]

const traversal: Described[] = [
  ['dot-dot', 'A path that leaves its folder', text('(^|[/\\\\=])\\.\\.[/\\\\]', '..')],
  ['system-file', 'A file of the system', text('/etc/(passwd|shadow)\\b', '/etc/')],
  ['hidden-file', 'A file that is no page', text('/\\.(git|env|htaccess|svn)\\b', '/.')],
  ['wrapper', 'A scheme for files', text('\\b(php|file|expect)://', '://'), { severity: 'error' }]
]

const protocol: Described[] = [
  ['null-byte', 'A byte that ends strings', has('\\x00')],
  ['split-header', 'A header in a value', text('\\r\\n(set-cookie|location)\\s*:', '\\x0d\\x0a')],
  [
    'method',
    'A method nobody needs',
    'http.request.method in {"TRACE" "TRACK" "DEBUG"}',
    { severity: 'warning' }
  ],
  ['no-agent', 'No user agent', 'http.user_agent eq ""', { paranoia: 3, severity: 'notice' }],
  ['odd-bytes', 'Not ASCII', text('(?-u)[\\x80-\\xff]'), { paranoia: 4, severity: 'notice' }]
]

const of = (category: Category, described: Described[]): Signature[] =>
  described.map(([name, description, expression, { paranoia = 1, severity: level } = {}]) => ({
    ...{ name, category, description, paranoia, expression },
    score: severity[level ?? 'critical']
  }))

/** Every attack both WAFs know, of our own making: small, but each a real one. */
export const signatures: readonly Signature[] = [
  ...of('injection', injection),
  ...of('scripting', scripting),
  ...of('traversal', traversal),
  ...of('protocol', protocol)
]

const checks = new Map(signatures.map(({ name, expression }) => [name, checkOf(expression)]))

function checkOf(source: string) {
  const parsed = parseExpression(source, { scheme: inspectedFields })
  if (parsed.ok) return compile(parsed.expression)
  throw new Error(message(parsed.failure))
}

/** Tells which signatures a request matches; each is looked for once, when first asked about. */
export function detector(facts: InspectedFacts): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    const found = known.get(name) ?? checks.get(name)!(facts)
    known.set(name, found)
    return found
  }
}

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

const text = (pattern: string) => `waf.text matches r#"(?s)${pattern}"#`

const injection: Described[] = [
  ['union-select', 'SQL: a second query joined to one', text('\\bunion\\b.{1,40}\\bselect\\b')],
  ['select-from', 'SQL: a query of its own', text('\\bselect\\b.{1,60}\\bfrom\\b')],
  ['tautology', 'SQL: a condition that is always true', text('\\bor\\b[\\s\'"(]+\\w+[\'")]*\\s*=')],
  ['stacked-query', 'SQL: a statement behind a semicolon', text(';\\s*(drop|insert|delete)\\s')],
  ['schema', 'SQL: the tables about tables', text('\\b(information_schema|sqlite_master)\\b')],
  ['timing', 'SQL: a query that waits', text('\\b(sleep|benchmark|pg_sleep)\\s*\\(')],
  ['shell', 'A shell command behind another', text('[;|&`]\\s*(cat|id|wget|curl|bash|nc)\\s')],
  ['substitution', 'The output of a shell command', text('\\$\\([a-z/]'), { paranoia: 2 }],
  ['quote-comment', 'A quote, and the rest a comment', text('[\'"]\\s*(--|#)'), { paranoia: 2 }]
]

const scripting: Described[] = [
  ['script-tag', 'HTML: a script', text('<\\s*script\\b')],
  ['event-handler', 'HTML: a handler of events', text('\\bon(error|load|click|focus)\\s*=')],
  ['script-uri', 'A URL that is a script', text('javascript\\s*:')],
  ['script-call', 'JavaScript: a call attackers try', text('\\b(alert|eval|prompt)\\s*\\(')],
  ['document', 'JavaScript: what a page holds', text('\\bdocument\\s*\\.\\s*(cookie|write)')],
  ['active-tag', 'HTML: a tag that loads', text('<\\s*(iframe|object|svg|img)\\b'), { paranoia: 2 }]
]

const traversal: Described[] = [
  ['dot-dot', 'A path that leaves its folder', text('(^|[/\\\\=])\\.\\.[/\\\\]')],
  ['system-file', 'A file of the system', text('/etc/(passwd|shadow)\\b')],
  ['hidden-file', 'A file that is no page', text('/\\.(git|env|htaccess|svn)\\b')],
  ['wrapper', 'A scheme that reads files', text('\\b(php|file|expect)://'), { severity: 'error' }]
]

const protocol: Described[] = [
  ['null-byte', 'A byte that ends strings', text('\\x00')],
  ['split-header', 'A header within a value', text('\\r\\n(set-cookie|location)\\s*:')],
  [
    'method',
    'A method nobody needs',
    'http.request.method in {"TRACE" "TRACK" "DEBUG"}',
    { severity: 'warning' }
  ],
  ['no-agent', 'No user agent', 'http.user_agent eq ""', { paranoia: 3, severity: 'notice' }],
  [
    'odd-bytes',
    'Bytes beyond ASCII',
    text('(?-u)[\\x80-\\xff]'),
    { paranoia: 4, severity: 'notice' }
  ]
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

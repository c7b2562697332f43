import { compile, message, parseExpression } from '../expression/expression.ts'
import { type Described, injection, protocol, scripting, traversal } from './attack.ts'
import { type InspectedFacts, inspectedFields } from './inspected.ts'

/** What a signature is about. */
export const categories = ['injection', 'scripting', 'traversal', 'protocol'] as const

/** A kind of attack; the rule groups of the previous WAF are these. */
export type Category = (typeof categories)[number]

/** How bad a match is, as the anomaly score it adds. */
const severity = { critical: 5, error: 4, warning: 3, notice: 2 }

/** One way to recognise an attack by a request and the beginning of its body. */
export type Signature = {
  name: string
  category: Category
  description: string
  /** From which paranoia level on it is looked for, 1 to 4. */
  paranoia: number
  score: number
  expression: string
}

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

const sources = new Map(signatures.map(({ name, expression }) => [name, expression]))
const checks = new Map<string, ReturnType<typeof checkOf>>()

/** Compiled when first asked for: many a platform starts and is never asked for any of them. */
function checkFor(name: string) {
  const check = checks.get(name) ?? checkOf(sources.get(name)!)
  checks.set(name, check)
  return check
}

function checkOf(source: string) {
  const parsed = parseExpression(source, { scheme: inspectedFields })
  if (parsed.ok) return compile(parsed.expression)
  throw new Error(message(parsed.failure))
}

/** Tells which signatures a request matches; each is looked for once, when first asked about. */
export function detector(facts: InspectedFacts): (name: string) => boolean {
  const known = new Map<string, boolean>()
  return (name) => {
    const found = known.get(name) ?? checkFor(name)(facts)
    known.set(name, found)
    return found
  }
}

import { inspect } from 'node:util'
import * as v from 'valibot'
import { type Bounds, longestMs, unbreakable } from '../load/figures/bounds.ts'
import { lastingTransports, transportNames } from '../load/transports/transport.ts'
import { orNearest } from './nearest.ts'
import { optionSchemas } from './schema.ts'

const eitherOf = (names: readonly string[]) => names.map((name) => `'${name}'`).join(' or ')
const passing = transportNames.filter((name) => !lastingTransports.some((one) => one === name))

/** What each field has to be, in words. */
const rules: Record<string, string> = {
  title: 'a sentence',
  needs: "a list of names, such as ['service']",
  tier: "'quick', 'full' or 'long'",
  alone: 'a list of names',
  expectedReplies: "a list of statuses and of 'refused', 'closed', 'timeout' and 'garbage'",
  clauses: 'a list of ids of clauses',
  observes: 'a list of ids of clauses',
  clause: 'the id of a clause, or with `each` a function that makes it of a key',
  max: 'a number above 0',
  each: 'numbers above 0 by key',
  unit: 'a text, such as bytes',
  variants: 'a list of texts, and not empty',
  smallest: 'a number from 0',
  resolution: 'a number above 0',
  ceiling: 'a number from 1',
  repeats: 'a whole number from 1',
  probe: 'a function',
  run: 'a function',
  request: 'a function',
  figures: 'a function',
  checks: 'functions by name',
  metrics:
    'at most 50 by a name of letters, digits, - and _, such as ' +
    "{ orders: { kind: 'counter', unit: 'orders' } }; as objectives { orders: { atLeast: 1 } }",
  kind: "'counter', 'gauge' or 'distribution'",
  atLeast: 'a number',
  atMost: 'a number',
  load: 'what `open` or `closed` returns',
  phases: 'a list of what `hold`, `ramp` and the like return',
  model: "'open' or 'closed'",
  connections: 'a whole number from 1',
  pipelining: 'a whole number from 1',
  transport: `${eitherOf(lastingTransports)}, or for a load ${eitherOf(passing)}`,
  objectives: 'an object with the objectives, such as { p99Ms: 20 }',
  every: 'an object with `seconds` and objectives',
  budgets: 'numbers from 0 by metric, and at least one',
  errorRatio: 'a number from 0 to 1',
  droppedRatio: 'a number from 0 to 1',
  redirectRatio: 'a number from 0 to 1',
  measured: 'true or false',
  arrivals: "'even' or 'poisson'",
  demand: 'an object with `perSecond`, `p99Ms` and `errorRatio`'
}

const anyNumber = 'a number above 0'

function shown(value: unknown): string {
  try {
    const text = inspect(value, { depth: 0, customInspect: false, maxStringLength: 60 })
    return text.replaceAll(/\s+/g, ' ').slice(0, 80)
  } catch {
    return 'what cannot be looked at'
  }
}

type Node = {
  entries?: Record<string, Node>
  wrapped?: Node
  item?: Node
  options?: readonly unknown[]
}

/** The fields an object may have at a path below a schema. */
function fieldsAt(schema: Node, path: readonly unknown[]): string[] {
  if (schema.wrapped) return fieldsAt(schema.wrapped, path)
  const [next, ...rest] = path
  const own = (schema.options ?? []).flatMap((option) =>
    typeof option === 'object' ? fieldsAt(option as Node, path) : []
  )
  if (own.length > 0) return [...new Set(own)]
  if (path.length === 0) return Object.keys(schema.entries ?? {})
  const inner = schema.entries?.[next as string] ?? schema.item
  return inner ? fieldsAt(inner, rest) : []
}

/** What is wrong with a value, with its field; an unknown name first, for it explains the rest. */
function complaint(schema: v.GenericSchema, issues: readonly v.BaseIssue<unknown>[]): string {
  const isUnknown = (one: v.BaseIssue<unknown>) =>
    one.type === 'strict_object' && one.expected === 'never'
  const issue = issues.find(isUnknown) ?? issues[0]!
  const keys = (issue.path ?? []).map(({ key }) => key)
  const path = keys.map(String).join('.')
  if (keys.length === 0) return 'takes an object with the fields of a scenario'
  const last = String(keys.at(-1))
  if (isUnknown(issue)) {
    const known = fieldsAt(schema as Node, keys.slice(0, -1))
    return `\`${path}\` is no field of it${orNearest(last, known)}`
  }
  // A key of somebody's own choice is ruled by the field it stands in.
  const named = keys.map(String).findLast((key) => key in rules)
  const isOwnKey =
    named !== last && !(last in rules) && ['each', 'budgets', 'metrics'].includes(`${named}`)
  const isListed = typeof keys.at(-1) === 'number'
  const rule = rules[last] ?? (isOwnKey || isListed ? rules[named ?? ''] : undefined) ?? anyNumber
  const found = issue.path?.at(-1)?.value
  if (found === undefined) return `\`${path}\` is missing: it has to be ${rule}`
  return `\`${path}\` has to be ${rule}, and is ${shown(found)}`
}

/**
 * The value as the schema has it, a copy; throws a TypeError that names the field and what is
 * expected where it is not as it should be.
 */
export function validate<Schema extends v.GenericSchema>(
  kind: string,
  schema: Schema,
  value: unknown
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  throw new TypeError(`${kind}: ${complaint(schema, result.issues)}`)
}

/** The same for what authors hand to the function of that name. */
export function validateOptions(kind: keyof typeof optionSchemas, options: unknown): void {
  validate(kind, optionSchemas[kind] as v.GenericSchema, options)
}

/**
 * Throws a TypeError where a latency is demanded that no response can exceed: it would be kept
 * whatever came. Bounds stand below the fields that lead to them.
 */
export function insistOnBreakable(
  kind: 'load' | 'capacity',
  demanded: Record<string, Bounds>,
  load: { timeoutMs: number }
): void {
  // How long a request is given is a load's own; a search for a capacity has no field for it.
  const fix = kind === 'load' ? 'give less, or its load a longer `timeoutMs`' : 'give less'
  for (const [place, bounds] of Object.entries(demanded)) {
    const name = unbreakable(bounds, load)
    const most = `no response takes longer than ${longestMs(load)} ms, twice what one is given`
    if (name) throw new TypeError(`${kind}: \`${place}${name}\` is always kept: ${most}; ${fix}`)
  }
}

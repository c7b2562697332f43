import * as v from 'valibot'
import { parseExpression } from '../expression/expression.ts'
import { isId, newId } from '../kernel/id.ts'
import { managedRuleset } from './managed-ruleset.ts'

/** The phase in which the new WAF runs. */
export const phase = 'http_request_firewall_managed'

/** What a rule of a managed ruleset does when it matches; `challenge` stops like `block`. */
export const wafActions = ['block', 'challenge', 'log'] as const

/** An action of either WAF. */
export type WafAction = (typeof wafActions)[number]

const action = v.picklist(wafActions, `must be one of ${wafActions.join(', ')}`)
const id = v.pipe(v.string(), v.check(isId, 'must be a hexadecimal string'))
const switches = { action: v.optional(action), enabled: v.optional(v.boolean()) }
const scoreThreshold = v.pipe(v.number(), v.integer(), v.minValue(1))

const overrides = v.object({
  ...switches,
  categories: v.optional(v.array(v.object({ category: v.string(), ...switches }))),
  rules: v.optional(
    v.array(v.object({ id, ...switches, score_threshold: v.optional(scoreThreshold) }))
  )
})

/** How a zone changes a managed ruleset it executes: as a whole, by category, or rule by rule. */
export type Overrides = v.InferOutput<typeof overrides>

const expression = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    // What many page rules come to is long; an update is only limited as a whole.
    const parsed = parseExpression(dataset.value, { characterLimit: Infinity })
    if (parsed.ok) return
    const { reason, line, column } = parsed.failure
    addIssue({ message: `${reason} (line ${line}, column ${column})` })
  })
)

const common = {
  /** Empty and absent alike: the service gives the rule an id, a version and a ref. */
  id: v.optional(v.string(), ''),
  version: v.optional(v.string(), ''),
  ref: v.optional(v.string(), ''),
  expression,
  description: v.optional(v.string(), ''),
  enabled: v.optional(v.boolean(), true)
}
const execute = v.object({
  ...common,
  action: v.literal('execute'),
  action_parameters: v.object({
    id: v.pipe(
      id,
      v.check((given) => managedRuleset(given) !== undefined, 'there is no such managed ruleset')
    ),
    overrides: v.optional(overrides)
  })
})
const skip = v.object({
  ...common,
  action: v.literal('skip'),
  action_parameters: v.union(
    [v.object({ ruleset: v.literal('current') }), v.object({ rulesets: v.array(id) })],
    'must be {"ruleset": "current"}, or name rulesets'
  )
})
const rule = v.variant('action', [execute, skip], 'must be execute or skip')

/** A rule of a zone's entry point: it executes a managed ruleset, or skips what comes behind it. */
export type Rule = v.InferOutput<typeof rule>

/** What a client says of an entry point ruleset. */
export const rulesetFields = v.object({
  name: v.string(),
  description: v.optional(v.string(), ''),
  rules: v.array(rule)
})

/** A zone's entry point: the ruleset its requests go through in this phase. */
export type Entrypoint = v.InferOutput<typeof rulesetFields> & {
  id: string
  kind: 'zone'
  version: string
  phase: typeof phase
  /** RFC 3339, UTC. */
  last_updated: string
}

/**
 * The entry point after an update, which replaces all of it: a version later than the one before.
 * A rule keeps its id if the entry point had a rule with that id, and else is given one.
 */
export function updated(
  before: Entrypoint | undefined,
  given: v.InferOutput<typeof rulesetFields>,
  now: string
): Entrypoint {
  const version = String(Number(before?.version ?? 0) + 1)
  const known = new Map(before?.rules.map((one) => [one.id, one]))
  const rules = given.rules.map((one): Rule => {
    const old = known.get(one.id)
    // Only one rule can keep an id.
    known.delete(one.id)
    const id = old?.id ?? newId()
    return { ...one, id, version, ref: one.ref || (old?.ref ?? id) }
  })
  const kept = { id: before?.id ?? newId(), kind: 'zone', phase } as const
  return { ...given, ...kept, version, last_updated: now, rules }
}

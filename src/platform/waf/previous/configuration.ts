import * as v from 'valibot'
import { parseExpression } from '../../expression/expression.ts'
import { newId } from '../../kernel/id.ts'
import { patternFault } from '../url-pattern.ts'

/** What a rule of the service's package can do. */
export const ruleModes = ['default', 'disable', 'simulate', 'block', 'challenge'] as const

/** How easily the OWASP package takes offence; `default` until someone chooses. */
export const sensitivities = ['high', 'medium', 'low', 'default', 'off'] as const

/** What the OWASP package does to what it takes for an attack. */
export const owaspActions = ['simulate', 'block', 'challenge'] as const

const onOff = v.picklist(['on', 'off'], 'must be on or off')
const ruleMode = v.picklist(ruleModes, `must be one of ${ruleModes.join(', ')}`)
const byId = <Schema extends v.GenericSchema>(schema: Schema) => v.record(v.string(), schema)
const expression = v.pipe(
  v.string(),
  v.check(
    // Rules were kept long before migrations set them a limit.
    (text) => parseExpression(text, { characterLimit: Infinity }).ok,
    'must be an expression'
  )
)
const url = v.pipe(
  v.string(),
  v.rawCheck(({ dataset, addIssue }) => {
    const fault = dataset.typed ? patternFault(dataset.value) : undefined
    if (fault !== undefined) addIssue({ message: fault })
  })
)
const freshId = v.optional(v.string(), () => newId())

const firewallRule = v.strictObject({
  id: freshId,
  expression,
  action: v.picklist(['bypass', 'block', 'log'], 'must be bypass, block or log'),
  description: v.optional(v.string(), '')
})

/** A firewall rule; `bypass` lets requests past the previous WAF. */
export type FirewallRule = v.InferOutput<typeof firewallRule>

const pageRule = v.union(
  [v.strictObject({ url, disableSecurity: v.literal(true) }), v.strictObject({ url, waf: onOff })],
  'must have a url and either waf (on or off) or disableSecurity (true)'
)

/** What a page rule says of the previous WAF; of several that match, the first one counts. */
export type PageRule = v.InferOutput<typeof pageRule>

const override = v.strictObject({
  id: freshId,
  urls: v.pipe(v.array(url), v.minLength(1, 'must name a URL')),
  groups: v.optional(byId(ruleMode), {}),
  rules: v.optional(byId(ruleMode), {}),
  description: v.optional(v.string(), ''),
  paused: v.optional(v.boolean(), false)
})

/** What a client says of a URI-based override. */
export const overrideFields = v.omit(override, ['id'])

/** Everything that can be set about the previous WAF of a zone. */
export const configurationFields = v.strictObject({
  /** The switch for all of it. */
  enabled: v.boolean(),
  /** Modes of groups and rules of the service's package, by id, where they were changed. */
  service: v.strictObject({ groups: byId(onOff), rules: byId(ruleMode) }),
  owasp: v.strictObject({
    sensitivity: v.picklist(sensitivities, `must be one of ${sensitivities.join(', ')}`),
    action: v.picklist(owaspActions, `must be one of ${owaspActions.join(', ')}`),
    groups: byId(onOff),
    rules: byId(onOff)
  }),
  firewallRules: v.array(firewallRule),
  pageRules: v.array(pageRule),
  uriOverrides: v.array(override)
})

/** The configuration of a zone's previous WAF. */
export type Configuration = v.InferOutput<typeof configurationFields>

/** How it is while nobody has configured anything: off. */
export const unconfigured: Configuration = {
  enabled: false,
  service: { groups: {}, rules: {} },
  owasp: { sensitivity: 'default', action: 'block', groups: {}, rules: {} },
  firewallRules: [],
  pageRules: [],
  uriOverrides: []
}

import * as v from 'valibot'
import { checked } from '../../kernel/api/body.ts'
import { Failure, unknownObject } from '../../kernel/api/failure.ts'
import type { Call, Operation } from '../../kernel/api/operation.ts'
import { newId } from '../../kernel/id.ts'
import type { WafDecisions } from '../decisions.ts'
import { stateFor } from '../migration-operations.ts'
import { changeWaf, readWaf } from '../zone-waf.ts'
import { type Configuration, configurationFields, overrideFields } from './configuration.ts'
import { type Package, type PackageRule, packages, servicePackage } from './package.ts'

const all = '/zones/:zone/firewall/waf/packages'
const { owasp, service } = configurationFields.entries

type Asked = Call<WafDecisions>

/** The configuration of the previous WAF, as long as there is one. */
function configurationOf(call: Asked): Configuration {
  const kept = readWaf(call.store, call.zone.id)
  if (!call.rules.migration.isPreviousOver(stateFor(call, kept))) return kept.configuration
  const message = 'The zone was migrated: use the rulesets API'
  throw new Failure(410, [{ code: 11_210, message }])
}

function change({ store, zone }: Asked, configuration: Configuration) {
  changeWaf(store, zone.id, { configuration })
}

function packageFor({ ids, path }: Asked): Package {
  const found = packages.find(({ id }) => id === ids.id)
  if (found === undefined) throw unknownObject(path)
  return found
}

function packageShown(one: Package, { owasp }: Configuration) {
  const { id, name, description, detection } = one
  const shown = { id, name, description, detection_mode: detection }
  if (one === servicePackage) return shown
  return { ...shown, sensitivity: owasp.sensitivity, action_mode: owasp.action }
}

/** Where the modes of a package's groups and rules are. */
const settingsOf = (one: Package, { service, owasp }: Configuration) =>
  one === servicePackage ? service : owasp

function groupShown(
  { id, category }: Package['groups'][number],
  { of, configuration }: { of: Package; configuration: Configuration }
) {
  const rules = of.rules.filter(({ group }) => group === id)
  const settings = settingsOf(of, configuration)
  return {
    id,
    name: category,
    description: `Rules about ${category}`,
    mode: settings.groups[id] ?? 'on',
    rules_count: rules.length,
    modified_rules_count: rules.filter((rule) => rule.id in settings.rules).length,
    allowed_modes: ['on', 'off'],
    package_id: of.id
  }
}

function ruleShown(
  { id, group, signature }: PackageRule,
  { of, configuration }: { of: Package; configuration: Configuration }
) {
  const isScored = of.detection === 'anomaly'
  const { description, category } = signature
  return {
    ...{ id, description, package_id: of.id, group: { id: group, name: category } },
    mode: settingsOf(of, configuration).rules[id] ?? (isScored ? 'on' : 'default'),
    ...(isScored
      ? { allowed_modes: ['on', 'off'] }
      : { default_mode: 'block', allowed_modes: service.entries.rules.value.options })
  }
}

const reading = { method: 'GET', permission: 'waf:read' } as const
const changing = { method: 'PATCH', permission: 'waf:write' } as const
const packagePatch = v.object({
  sensitivity: v.optional(owasp.entries.sensitivity),
  action_mode: v.optional(owasp.entries.action)
})

const packageOperations = {
  'previous-waf.package.list': {
    ...reading,
    path: all,
    run(call) {
      const configuration = configurationOf(call)
      return { result: packages.map((one) => packageShown(one, configuration)) }
    }
  },
  'previous-waf.package.get': {
    ...reading,
    path: `${all}/:id`,
    run(call) {
      const configuration = configurationOf(call)
      return { result: packageShown(packageFor(call), configuration) }
    }
  },
  'previous-waf.package.update': {
    ...changing,
    path: `${all}/:id`,
    run(call) {
      const before = configurationOf(call)
      const one = packageFor(call)
      if (one === servicePackage) throw unknownObject(call.path)
      const { sensitivity, action_mode: action } = checked(packagePatch, call.body)
      const changes = { ...(sensitivity && { sensitivity }), ...(action && { action }) }
      const after = { ...before, owasp: { ...before.owasp, ...changes } }
      change(call, after)
      return { result: packageShown(one, after) }
    }
  }
} satisfies Record<string, Operation<WafDecisions>>

/** The same three operations for groups and rules: list, get, and a change of mode. */
function modeOperations<Member extends { id: string }>(
  part: 'groups' | 'rules',
  membersOf: (of: Package) => readonly Member[],
  show: (member: Member, place: { of: Package; configuration: Configuration }) => object
): Record<'list' | 'get' | 'update', Operation> {
  const path = `${all}/:id/${part}`
  const found = (call: Asked): [Package, Member] => {
    const of = packageFor(call)
    const member = membersOf(of).find(({ id }) => id === call.ids.member)
    if (member === undefined) throw unknownObject(call.path)
    return [of, member]
  }
  return {
    list: {
      ...reading,
      path,
      run(call) {
        const configuration = configurationOf(call)
        const of = packageFor(call)
        return { result: membersOf(of).map((one) => show(one, { of, configuration })) }
      }
    },
    get: {
      ...reading,
      path: `${path}/:member`,
      run(call) {
        const configuration = configurationOf(call)
        const [of, member] = found(call)
        return { result: show(member, { of, configuration }) }
      }
    },
    update: {
      ...changing,
      path: `${path}/:member`,
      run(call) {
        const before = configurationOf(call)
        const [of, member] = found(call)
        const key = of === servicePackage ? 'service' : 'owasp'
        const modes = configurationFields.entries[key].entries[part].value
        const { mode } = checked(v.object({ mode: modes }), call.body)
        const settings = before[key]
        const changed = { ...settings, [part]: { ...settings[part], [member.id]: mode } }
        const configuration = { ...before, [key]: changed }
        change(call, configuration)
        return { result: show(member, { of, configuration }) }
      }
    }
  }
}

const groupOperations = modeOperations('groups', ({ groups }) => groups, groupShown)
const ruleOperations = modeOperations('rules', ({ rules }) => rules, ruleShown)
const overridesPath = '/zones/:zone/firewall/waf/overrides'

const overrideOperations = {
  'previous-waf.override.list': {
    ...reading,
    path: overridesPath,
    run: (call) => ({ result: configurationOf(call).uriOverrides })
  },
  'previous-waf.override.create': {
    method: 'POST',
    permission: 'waf:write',
    path: overridesPath,
    run(call) {
      const before = configurationOf(call)
      const override = { id: newId(), ...checked(overrideFields, call.body) }
      change(call, { ...before, uriOverrides: [...before.uriOverrides, override] })
      return { result: override }
    }
  },
  'previous-waf.override.delete': {
    method: 'DELETE',
    permission: 'waf:write',
    path: `${overridesPath}/:id`,
    run(call) {
      const before = configurationOf(call)
      const uriOverrides = before.uriOverrides.filter(({ id }) => id !== call.ids.id)
      if (uriOverrides.length === before.uriOverrides.length) throw unknownObject(call.path)
      change(call, { ...before, uriOverrides })
      return { result: { id: call.ids.id } }
    }
  }
} satisfies Record<string, Operation<WafDecisions>>

const enabled = v.object({ value: v.picklist(['on', 'off'], 'must be on or off') })

const switchOperations = {
  'previous-waf.switch.get': {
    ...reading,
    path: '/zones/:zone/settings/waf',
    run: (call) => ({ result: { id: 'waf', value: configurationOf(call).enabled ? 'on' : 'off' } })
  },
  'previous-waf.switch.update': {
    ...changing,
    path: '/zones/:zone/settings/waf',
    run(call) {
      const before = configurationOf(call)
      const { value } = checked(enabled, call.body)
      change(call, { ...before, enabled: value === 'on' })
      return { result: { id: 'waf', value } }
    }
  }
} satisfies Record<string, Operation<WafDecisions>>

const named = (
  prefix: string,
  operations: Record<string, Operation<WafDecisions>>
): Record<string, Operation<WafDecisions>> =>
  Object.fromEntries(Object.entries(operations).map(([name, one]) => [`${prefix}.${name}`, one]))

/** Everything the previous WAF's management API offers, until the zone is migrated. */
export const previousOperations: Record<string, Operation<WafDecisions>> = {
  ...packageOperations,
  ...named('previous-waf.group', groupOperations),
  ...named('previous-waf.rule', ruleOperations),
  ...overrideOperations,
  ...switchOperations
}

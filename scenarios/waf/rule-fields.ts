import * as type from '../_field-type.ts'
import { fieldsCheck } from '../_fields.ts'
import { type Item, isItem } from '../_reply.ts'
import { calls, configurationIn } from './_stage.ts'

/** The documented form of a per-rule override. */
const override = type.objectOf({ id: type.hex, action: type.text, enabled: type.boolean })

/** A rule with the fields of its action parameters under the names the document gives them. */
function flat(rule: Item): Item {
  const { id, overrides } = isItem(rule.action_parameters) ? rule.action_parameters : {}
  const rules = isItem(overrides) ? overrides.rules : undefined
  const nested = { 'action_parameters.id': id, 'action_parameters.overrides.rules': rules }
  const shown = Object.entries(nested).filter(([, value]) => value !== undefined)
  return { ...rule, ...Object.fromEntries(shown) }
}

export default fieldsCheck({
  title: 'The rules of the proposed configuration have the documented fields, each of its type',
  clause: 'waf-migration.config.field.rules',
  fields: {
    id: type.text,
    version: type.text,
    action: type.text,
    expression: type.text,
    description: type.text,
    ref: type.text,
    enabled: type.boolean,
    // Only what executes names a managed ruleset, and only some of that overrides its rules.
    'action_parameters.id': { type: type.hex, when: ({ action }) => action === 'execute' },
    'action_parameters.overrides.rules': { type: type.arrayOf(override), when: () => false }
  },
  required: 'every read',
  async read({ management, zones }) {
    const replies = await Promise.all(
      Object.values(zones).map((zone) => calls(management, zone).config())
    )
    return replies.flatMap((reply) => {
      const rules = configurationIn(reply)?.rules ?? []
      return [undefined, ...rules.map(flat)].map((value) => ({
        value,
        read: 'single' as const,
        reply
      }))
    })
  }
})

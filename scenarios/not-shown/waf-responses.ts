import { type Context, check, type Judge, type Reply } from 'plimsoll'
import { isItem, item, items, quoted } from '../_reply.ts'
import { configurationIn, entrypoint, type Stage, stage } from '../waf/_stage.ts'

const response = 'unspecified.waf.entrypoint-response'
const statusFields = 'unspecified.waf.status-fields'
const deletion = 'unspecified.waf.override-delete'
const withoutPhase = 'unspecified.implied.migration-pending-without-phase-two'
const withoutParameter = 'unspecified.implied.waf-update-without-param'
const ineligible = 'unspecified.implied.pending-on-ineligible-response'

/** The status of an answer, and what is wrong by its first error. */
function said({ because, json }: Reply): string {
  const [error] = [json?.errors].flat()
  return isItem(error) ? `${because}, code ${error.code} (${quoted(error.message)})` : because
}

/** The fields of an object, each with the type of its value. */
function fieldsOf(value: unknown): string {
  if (!isItem(value)) return quoted(value)
  return Object.entries(value)
    .map(([field, one]) => `${field} (${Array.isArray(one) ? 'array' : typeof one})`)
    .join(', ')
}

/** The calls without what they are always shown with, and then with it. */
async function lookAtUpdates({ management, observe }: Context & Judge, on: Stage) {
  const path = `${on.path}/waf_migration`
  for (const call of ['check', 'config']) {
    const reply = await management.get(`${path}/${call}`)
    observe(withoutPhase, `${call}: ${said(reply)}`, reply)
  }
  const configuration = configurationIn(await on.config()) ?? { name: '', rules: [] }
  const bare = await management.put(`${on.path}/${entrypoint}?waf_migration=pending`, {
    json: configuration
  })
  observe(withoutPhase, `update: ${said(bare)}, state ${quoted(await on.state())}`, bare)
  const without = await on.deploy(configuration)
  observe(withoutParameter, `${said(without)}, state ${quoted(await on.state())}`, without)
  const update = await on.migrate('pending', configuration)
  observe(response, fieldsOf(item(update)), update)
}

/** A zone with an override: what pending says to it, and how the override can be deleted. */
async function lookAtOverrides(context: Context & Judge) {
  const { management, adapter, observe } = context
  const on = await stage(context, 'pro')
  await adapter.previousWaf(on.zone.id, { enabled: true, uriOverrides: ['*/legacy/*'] })
  const configuration = configurationIn(await on.config()) ?? { name: '', rules: [] }
  const pending = await on.migrate('pending', configuration)
  observe(ineligible, `${said(pending)}, state ${quoted(await on.state())}`, pending)
  const overrides = `${on.path}/firewall/waf/overrides`
  const list = await management.get(overrides)
  const [one] = items(list)
  if (one === undefined) return observe(deletion, `no list of overrides: ${said(list)}`, list)
  const deleted = await management.delete(`${overrides}/${one.id}`)
  const result = quoted(item(deleted))
  observe(deletion, `DELETE …/overrides/<id>: ${said(deleted)}, result ${result}`, deleted)
}

export default check({
  title: 'What migration calls answer where the document shows no answer',
  clauses: [response, statusFields, deletion, withoutPhase, withoutParameter, ineligible],
  needs: ['management', 'disposableZone', 'previousWaf', 'migrated'],
  async run(context) {
    const on = await stage(context, 'pro')
    const status = await on.status()
    context.observe(statusFields, fieldsOf(item(status)), status)
    await lookAtUpdates(context, on)
    await lookAtOverrides(context)
  }
})

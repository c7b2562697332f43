import { check } from 'plimsoll'
import { judgeAdmission } from '../_admission.ts'
import { admissionClauses } from '../_callers.ts'
import type { Operation } from '../_operations.ts'
import { item, items, quoted } from '../_reply.ts'
import { partsOf } from './_previous-api.ts'
import { stage } from './_stage.ts'

const overrides = 'firewall/waf/overrides'
const override = { urls: ['*/legacy/*'], groups: {}, rules: {}, description: 'Plimsoll' }

export default check({
  title: 'Nobody gets at the previous WAF whose credential is wrong, or not enough',
  clauses: admissionClauses,
  needs: ['management', 'disposableZone'],
  async run(context) {
    const { management } = context
    const on = await stage(context, 'business')
    const paths = await partsOf(management, on.zone.id)
    if (paths === undefined) return
    const below = (path: string) => path.slice(on.path.length + 1)
    const changes: [path: string, json: object][] = [
      [below(paths.package), { sensitivity: 'low' }],
      [below(paths.group), { mode: 'off' }],
      [below(paths.rule), { mode: 'off' }],
      ['settings/waf', { value: 'on' }]
    ]
    const reads = [...Object.values(paths).map(below), 'settings/waf', overrides]
    const operations: Operation[] = [
      ...reads.map((path): Operation => ({ method: 'get', path })),
      ...changes.map(([path, json]): Operation => ({ method: 'patch', path, json })),
      { method: 'post', path: overrides, json: override }
    ]
    const all = `${on.path}/${overrides}`
    const { id } = item(await management.post(all, { json: override }))
    if (id !== undefined) operations.push({ method: 'delete', path: `${overrides}/${id}` })
    await judgeAdmission(context, {
      zone: on.zone.id,
      operations,
      async state() {
        const parts = changes.map(([path]) => management.get(`${on.path}/${path}`))
        const told = (await Promise.all(parts)).map(item)
        const modes = told.map(({ sensitivity, mode, value }) => sensitivity ?? mode ?? value)
        const { length } = items(await management.get(all))
        return `${quoted(modes)} and ${length} overrides`
      }
    })
  }
})

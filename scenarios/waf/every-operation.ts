import { check } from 'plimsoll'
import { judgeAdmission } from '../_admission.ts'
import { admissionClauses } from '../_callers.ts'
import type { Operation } from '../_operations.ts'
import { quoted } from '../_reply.ts'
import { configurationIn, entrypoint, stage } from './_stage.ts'

export default check({
  title: 'Each migration call is refused to everyone whose credential is wrong, or not enough',
  clauses: admissionClauses,
  needs: ['management', 'disposableZone'],
  async run(context) {
    const on = await stage(context, 'pro')
    const configuration = configurationIn(await on.config())
    if (configuration === undefined) return
    const get = (call: string): Operation => ({ method: 'get', path: `waf_migration/${call}` })
    const operations: Operation[] = [
      ...[get('check?phase_two=1'), get('config?phase_two=1'), get('status')],
      {
        method: 'put',
        path: `${entrypoint}?waf_migration=pending&phase_two=1`,
        json: configuration
      }
    ]
    const state = async () => `state ${quoted(await on.state())}`
    await judgeAdmission(context, { zone: on.zone.id, operations, state })
  }
})

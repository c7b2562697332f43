import { check } from 'plimsoll'
import { judgeAdmission } from '../_admission.ts'
import { admissionClauses } from '../_callers.ts'
import { pageProtectionReads, pageProtectionWrites } from '../_operations.ts'
import { draft, withPolicy } from '../_policy.ts'
import { item, items } from '../_reply.ts'
import { seeds } from '../_seed.ts'
import { exampleJob } from '../log-push/_stage.ts'

export default check({
  title: 'Each operation is refused to everyone whose credential is wrong, or not enough for it',
  clauses: admissionClauses,
  needs: ['management', 'zone', 'detections'],
  async run(context) {
    const { management, adapter, random } = context
    const zone = (await adapter.zone('enterprise')).id
    const [scripts, connections, cookies] = (['scripts', 'connections', 'cookies'] as const).map(
      (kind) => seeds(kind, 'active', { count: 1, random })
    )
    await adapter.detections(zone, { scripts, connections, cookies })
    const policy = draft(random)
    await withPolicy({ management, zone, policy }, async ({ id }) => {
      const ids = {
        script: scripts![0]!.id,
        connection: connections![0]!.id,
        cookie: cookies![0]!.id,
        policy: `${id}`
      }
      const jobs = 'logpush/jobs'
      const job = item(await management.post(`/zones/${zone}/${jobs}`, { json: exampleJob })).id
      const operations = [
        ...pageProtectionReads(ids),
        ...pageProtectionWrites(ids, policy),
        { method: 'post' as const, path: jobs, json: exampleJob },
        // Whether there are these is not said, but whoever has them asks for a permission.
        { method: 'put' as const, path: `${jobs}/${job}`, json: exampleJob },
        { method: 'delete' as const, path: `${jobs}/${job}` }
      ]
      const all = `/zones/${zone}/page_shield`
      const state = async () => {
        const { enabled } = item(await management.get(all))
        const policies = items(await management.get(`${all}/policies`))
        return `enabled ${enabled}, ${policies.length} policies`
      }
      await judgeAdmission(context, { zone, operations, state })
    })
  }
})

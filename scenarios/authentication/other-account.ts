import { check, type Look, summary } from 'plimsoll'
import { freshId } from '../_id.ts'
import { call, nameOf, pageProtectionReads, pageProtectionWrites } from '../_operations.ts'
import { draft } from '../_policy.ts'
import { isServed } from '../_reply.ts'
import { seeds } from '../_seed.ts'
import { exampleJob } from '../log-push/_stage.ts'

const clause = 'auth.permissions-must-match'

export default check({
  title: 'A token does nothing in a zone of an account that is not its own',
  clauses: [clause],
  needs: ['management', 'zone', 'foreignZone', 'detections'],
  async run({ management, adapter, random, verify }) {
    const [own, foreign] = [
      await adapter.zone('enterprise'),
      await adapter.foreignZone('enterprise')
    ]
    // The same things are in both zones: what makes the difference is whose they are.
    const placed = Object.fromEntries(
      (['scripts', 'connections', 'cookies'] as const).map((kind) => [
        kind,
        seeds(kind, 'active', { count: 1, random })
      ])
    )
    for (const { id } of [own, foreign]) await adapter.detections(id, placed)
    const [script, connection, cookie] = Object.values(placed).map(([seed]) => seed!.id)
    const ids = {
      script: script!,
      connection: connection!,
      cookie: cookie!,
      policy: freshId(random)
    }
    const looks: Look[] = []
    for (const operation of [
      ...pageProtectionReads(ids),
      ...pageProtectionWrites(ids, draft(random)),
      { method: 'post' as const, path: 'logpush/jobs', json: exampleJob },
      { method: 'get' as const, path: 'waf_migration/check?phase_two=1' },
      { method: 'get' as const, path: 'waf_migration/config?phase_two=1' },
      { method: 'get' as const, path: 'waf_migration/status' }
    ]) {
      const reply = await call(management, foreign.id, operation)
      const asked = nameOf(operation)
      looks.push({ asked, holds: !isServed(reply), saw: reply.because, reply })
    }
    const control = await management.get(`/zones/${own.id}/page_shield/scripts/${ids.script}`)
    const found = summary(looks)
    if (found && (isServed(control) || !found[0].holds)) verify(clause, ...found)
  }
})

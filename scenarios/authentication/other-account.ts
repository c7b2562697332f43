import { type Client, check, type Look, summary } from 'plimsoll'
import { bearing, paired } from '../_credential.ts'
import { freshId } from '../_id.ts'
import { call, nameOf, pageProtectionReads, pageProtectionWrites } from '../_operations.ts'
import { draft } from '../_policy.ts'
import { isServed } from '../_reply.ts'
import { seeds } from '../_seed.ts'
import { exampleJob } from '../log-push/_stage.ts'

const [token, pair] = ['auth.permissions-must-match', 'auth.legacy-pair']

/** Every credential by which the target lets somebody in, by the clause about it. */
function letIn({ management, credentials }: Parameters<typeof paired>[0]) {
  const { readOnlyToken } = { ...credentials }
  const other = paired({ management, credentials })
  return [
    { clause: token, name: 'a token', client: management },
    ...(readOnlyToken === undefined
      ? []
      : [{ clause: token, name: 'a token to read', client: bearing(readOnlyToken, management) }]),
    ...(other ? [{ clause: pair, name: 'the pair', client: other }] : [])
  ] satisfies { clause: string; name: string; client: Client }[]
}

export default check({
  title: 'No credential does anything in a zone of an account that is not its own',
  clauses: [token, pair],
  needs: ['management', 'zone', 'foreignZone', 'detections'],
  async run(context) {
    const { adapter, random, verify } = context
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
    const operations = [
      ...pageProtectionReads(ids),
      ...pageProtectionWrites(ids, draft(random)),
      { method: 'post' as const, path: 'logpush/jobs', json: exampleJob },
      { method: 'get' as const, path: 'waf_migration/check?phase_two=1' },
      { method: 'get' as const, path: 'waf_migration/config?phase_two=1' },
      { method: 'get' as const, path: 'waf_migration/status' }
    ]
    const looks: { [clause: string]: Look[] } = { [token!]: [], [pair!]: [] }
    for (const { clause, name, client } of letIn(context)) {
      // Who is not let in at home either shows nothing by being kept out elsewhere.
      const read = await client.get(`/zones/${own.id}/page_shield/scripts/${ids.script}`)
      const created = await client.post(`/zones/${own.id}/logpush/jobs`, { json: exampleJob })
      const isLetIn = isServed(read) || isServed(created)
      for (const operation of operations) {
        const reply = await call(client, foreign.id, operation)
        const asked = `${nameOf(operation)} by ${name}`
        const look = { asked, holds: !isServed(reply), saw: reply.because, reply }
        if (isLetIn || !look.holds) looks[clause]!.push(look)
      }
    }
    for (const [clause, some] of Object.entries(looks)) {
      const found = summary(some)
      if (found) verify(clause, ...found)
    }
  }
})

import { check, type Look, summary } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isBesideThePoint, isList, isTurnedDown, items, quoted } from '../_reply.ts'
import { seeds } from '../_seed.ts'
import { kinds } from './_listing.ts'

const names = { scripts: 'script', connections: 'connection', cookies: 'cookie' } as const
const clause = (kind: keyof typeof names) => `page-protection.${names[kind]}.list`
const fields = ['page', 'per_page', 'count', 'total_count', 'total_pages']

export default check({
  title: 'A list of nothing is a list: an empty array, with a `result_info`',
  clauses: kinds.map(clause),
  needs: ['management', 'zone', 'detections'],
  async run({ management, adapter, random, verify }) {
    const [bare, other] = [await adapter.zone('enterprise'), await adapter.zone('free')]
    for (const kind of kinds) {
      // What is infrequent is not in the list where nobody asks for it.
      await adapter.detections(other.id, {
        [kind]: seeds(kind, 'infrequent', { count: 3, random })
      })
      const none = { hosts: `${freshId(random).slice(0, 12)}.test` }
      const queries = [
        ...[{}, { page: 1, per_page: 5 }, { per_page: 50 }],
        ...(kind === 'scripts'
          ? [{ status: 'infrequent', ...none }, { status: 'active' }, none]
          : [])
      ]
      const looks: Look[] = []
      for (const { id } of [bare, other])
        for (const query of queries) {
          const reply = await management.get(`/zones/${id}/page_shield/${kind}`, { query })
          // What is in the list where there should be nothing is the matter of others.
          if (isBesideThePoint(reply) || isTurnedDown(reply) || items(reply).length > 0) continue
          const info = reply.json?.result_info
          const holds = isList(reply) && fields.every((field) => Number.isInteger(info?.[field]))
          const asked = `${kind} with ${JSON.stringify(query)}`
          const saw = `result ${quoted(reply.json?.result)}, result_info ${quoted(info)}`
          looks.push({ asked, holds, saw, reply })
        }
      const found = summary(looks)
      if (found) verify(clause(kind), ...found)
    }
  }
})

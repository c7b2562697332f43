import { check, type Look, type Reply, summary } from 'plimsoll'
import { differences, draft, type Policy } from '../_policy.ts'
import { type Item, isList, isServed, item, items } from '../_reply.ts'

const clause = 'policy.list-contains-created'

/** More than a page of anything usually has; how many a zone may have is not said. */
const most = { quick: 105, full: 450 }

/** All that a list shows: on its pages, where it says by a `result_info` that it has several. */
async function whole(ask: (page?: number) => Promise<Reply>): Promise<[Item[], Reply]> {
  const first = await ask()
  const all = items(first)
  const pages = Math.min(most.full, Number(first.json?.result_info?.total_pages) || 1)
  for (let page = 2; page <= pages; page++) all.push(...items(await ask(page)))
  return [all, first]
}

/** The n-th of many policies, of which no two are alike and some are on, for a host of nobody. */
function policyOf(n: number, random: () => number): Policy {
  const [action, enabled] = [n % 2 ? 'log' : 'allow', n % 4 < 2 ? 'false' : 'true']
  return { ...draft(random), action, enabled, value: `script-src h${n}.test` }
}

export default check({
  title: 'However many policies a zone has, its list has each of them once, and as it is',
  clauses: [clause],
  needs: ['management', 'zone'],
  async run({ management, adapter, random, tier, verify }) {
    const path = `/zones/${(await adapter.zone('enterprise')).id}/page_shield/policies`
    const kept = new Map<string, Policy>()
    const looks: Look[] = []
    const look = async (asked: string) => {
      const [all, reply] = await whole((page) =>
        management.get(path, page ? { query: { page } } : {})
      )
      if (!isList(reply)) return
      const known = all.filter(({ id }) => kept.has(id))
      const right = known.filter((one) => differences(one, kept.get(one.id)!).length === 0)
      const different = new Set(right.map(({ id }) => id)).size
      const holds = [all.length, different].every((count) => count === kept.size)
      const saw = `${all.length} listed, ${different} of ${kept.size} as they are`
      looks.push({ asked, holds, saw, reply, of: kept.size })
    }
    const count = most[tier === 'quick' ? 'quick' : 'full']
    for (let n = 0; n < count; n++) {
      const policy = policyOf(n, random)
      const reply = await management.post(path, { json: policy })
      const { id } = item(reply)
      // Who takes no more of them has said so.
      if (!isServed(reply) || typeof id !== 'string') break
      kept.set(id, policy)
      // What is listed of few may be another thing than of many.
      if ([1, 5, 10].includes(kept.size)) await look(`${kept.size} created`)
    }
    await look(`${kept.size} created`)
    for (const [n, [id, policy]] of [...kept].entries()) {
      const enabled = policy.enabled === 'true' ? 'false' : 'true'
      const json = { ...policy, enabled }
      if (n % 7 === 0 && isServed(await management.put(`${path}/${id}`, { json })))
        kept.set(id, json)
      if (n % 3 === 0 && isServed(await management.delete(`${path}/${id}`))) kept.delete(id)
    }
    await look('after some were changed and some deleted')
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
})

import { type Client, check, isOk, type Look, type Reply, summary } from 'plimsoll'
import { fateOf } from '../_csp.ts'
import { http2To } from '../_http2.ts'
import { hasBytes, isServed, item } from '../_reply.ts'

const blocks = 'policy.semantics.allow-blocks'
const logs = 'policy.semantics.log-reports-not-blocks'

/** Whose scripts which action lets pass. */
const allowed = { allow: 'a.cdn.test', log: 'b.cdn.test' }
/** More than a piece of anything, so that an answer which is cut off shows. */
const html = `<!doctype html><title>Plimsoll</title><p>${'é€😀'.repeat(5_000)}`

/** What a page's head makes of the scripts. */
function seen({ headers }: { headers: Record<string, string> }, page: string) {
  const fate = (host: string) => {
    const script = `${new URL(page).protocol}//${host}/a.js`
    return fateOf({ headers } as Reply, { page, script })
  }
  const [first, second] = [fate(allowed.allow), fate(allowed.log)]
  return {
    [blocks]: !first.isBlocked && second.isBlocked,
    [logs]: first.reports > second.reports
  }
}

/** The same page as HTTP/1.1 and as HTTP/2 have it, where that is spoken. */
async function visits(client: Client) {
  const reply = await client.get('/')
  const http2 = await http2To(client)
  const told = await http2?.ask({ method: 'GET', path: '/' })
  http2?.close()
  const isTold = told !== undefined && told !== 'no answer'
  return { reply, told: isTold ? told : undefined }
}

export default check({
  title: 'A page comes with its policies over HTTP/2 as well, where that is spoken',
  clauses: [blocks, logs],
  needs: ['management', 'edge', 'zone', 'page'],
  async run({ management, edge, adapter, verify }) {
    const zone = await adapter.zone('enterprise')
    await adapter.page(zone.id, html)
    const all = `/zones/${zone.id}/page_shield/policies`
    const created: Reply[] = []
    for (const [action, host] of Object.entries(allowed)) {
      const expression = `http.host eq "${zone.host}"`
      const policy = { action, expression, enabled: 'true', value: `script-src ${host}` }
      created.push(await management.post(all, { json: { description: 'Plimsoll', ...policy } }))
    }
    if (!created.every(isServed)) return
    const page = `${new URL(edge.url).protocol}//${zone.host}/`
    const { reply, told } = await visits(edge.as(zone.host))
    const before = seen(reply, page)
    // What is not so over HTTP/1.1 is the matter of who asks there.
    if (!isOk(reply) || !before[blocks] || !before[logs]) return
    const after = told && told.status === reply.status ? seen(told, page) : undefined
    const isWhole = told !== undefined && hasBytes(reply, Buffer.byteLength(told.text))
    for (const clause of [blocks, logs] as const) {
      const looks: Look[] = [{ asked: 'over HTTP/1.1', holds: true, saw: 'as it says', reply }]
      if (after !== undefined) {
        const holds = after[clause] && isWhole
        const saw = isWhole ? (holds ? 'as it says' : 'another policy') : 'part of the page'
        looks.push({ asked: 'over HTTP/2', holds, saw, reply })
      }
      verify(clause, ...summary(looks)!)
    }
    for (const one of created) await management.delete(`${all}/${encodeURIComponent(item(one).id)}`)
  }
})

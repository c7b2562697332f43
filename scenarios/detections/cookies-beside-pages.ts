import { check, type Look, summary } from 'plimsoll'
import { browsers, patiently } from './_browser.ts'
import { originServer } from './_origin.ts'

const clause = 'page-protection.detection.detected'

/** By the name of the cookie: which answer sets it, the first as any page does. */
const answers: { [name: string]: { status: number; method: 'get' | 'post' } } = {
  page: { status: 200, method: 'get' },
  moved: { status: 302, method: 'get' },
  done: { status: 303, method: 'post' },
  missing: { status: 404, method: 'get' },
  refused: { status: 403, method: 'post' }
}
const names = Object.keys(answers)

export default check({
  title: 'A cookie is detected whichever answer of a zone sets it: a page, a redirect or an error',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'origin'],
  expectedReplies: [302, 303],
  async run(context) {
    const { adapter, edge, verify } = context
    const zone = await adapter.zone('enterprise')
    await using origin = await originServer((path) => {
      const name = path.slice(1)
      const cookies = name in answers ? [`${name}=1; Path=/`] : []
      const body = '<!doctype html><title>Plimsoll</title>'
      return { type: 'text/html', status: answers[name]?.status ?? 200, cookies, body }
    })
    await adapter.origin(zone.id, origin.url)
    const on = browsers(context, zone)
    await on.turn(true)
    const client = edge.as(zone.host)
    const served: string[] = []
    // How often something is met until it is listed is not said.
    for (let time = 0; time < 3; time++)
      for (const [name, { status, method }] of Object.entries(answers)) {
        const reply = await client[method](`/${name}`)
        const isSet = reply.status === status && reply.headers['set-cookie']?.includes(`${name}=1`)
        if (isSet) served.push(name)
      }
    const { all, replies } = await patiently(
      () => on.listed('cookies'),
      ({ all }) => all.length >= names.length
    )
    const isListed = (name: string) => all.some((one) => one.name === name)
    // Where not even that of a page is, nothing is known of how a target learns of cookies.
    if (!isListed('page')) return
    const looks = names.flatMap((name): Look[] => {
      if (served.filter((one) => one === name).length < 3) return []
      const { status, method } = answers[name]!
      const [holds, asked] = [isListed(name), `set by HTTP ${status} to a ${method}`]
      return [{ asked, holds, saw: holds ? 'listed' : 'not listed', reply: replies[0]! }]
    })
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
})

import { check, isOk } from 'plimsoll'
import { freshId } from '../_id.ts'
import { type Item, isServed, item, quoted } from '../_reply.ts'
import { createTally } from '../_tally.ts'
import { browsers, patiently, reporterOf } from './_browser.ts'
import { directives } from './_meeting.ts'
import { originServer } from './_origin.ts'

/** So many pages are loaded, and asked for that often at most. */
const [visits, most] = [3, 9]

const clause = (name: string, field: string) => `page-protection.${name}.field.${field}`
const names = { scripts: 'script', connections: 'connection' } as const
const kinds = Object.keys(names) as (keyof typeof names)[]

export default check({
  title: 'What is met on a host below the zone’s own shows that host, and a cookie its domain',
  clauses: [
    ...[clause('cookie', 'host'), clause('cookie', 'domain-attribute')],
    ...kinds.flatMap((kind) =>
      ['host', 'first-page-url'].map((field) => clause(names[kind], field))
    )
  ],
  needs: ['management', 'edge', 'zone', 'origin'],
  async run(context) {
    const { adapter, edge, random } = context
    const zone = await adapter.zone('enterprise')
    const below = `www.${zone.host}`
    await using origin = await originServer(() => ({
      type: 'text/html',
      cookies: [`all=1; Path=/; Domain=${zone.host}`, 'own=1; Path=/'],
      body: '<!doctype html><title>Plimsoll</title>'
    }))
    await adapter.origin(zone.id, origin.url)
    const on = browsers(context, zone)
    const onBelow = browsers(context, { ...zone, host: below })
    await on.turn(true)
    const page = `http://${below}/pay`
    const met = { scripts: '', connections: '' }
    for (const kind of kinds) met[kind] = `https://${freshId(random).slice(0, 12)}.test/`
    // That a zone has hosts below its own is not said; nor is how a target learns of cookies.
    let loaded = 0
    for (let time = 0; time < most && loaded < visits; time++) {
      const reply = await edge.as(below).get('/pay')
      loaded += Number(isOk(reply))
      const reporter = isOk(reply) ? reporterOf(reply) : undefined
      for (const kind of reporter === undefined ? [] : kinds)
        await onBelow.report(reporter!, { page, blocked: met[kind], directive: directives[kind] })
    }
    if (loaded < visits) return
    const tally = createTally()
    const read = async (kind: 'cookies' | keyof typeof names, isIt: (one: Item) => boolean) => {
      const { all } = await patiently(
        () => on.listed(kind),
        ({ all }) => all.some(isIt)
      )
      const listed = all.find(isIt)
      const reply = listed && (await on.read(kind, listed))
      return reply && isServed(reply) ? reply : undefined
    }
    for (const kind of kinds) {
      const reply = await read(kind, ({ url }) => url === met[kind])
      if (reply === undefined) continue
      const { host, first_page_url: first } = item(reply)
      const add = (field: string, shown: unknown, due: string) =>
        tally.add(clause(names[kind], field), {
          ...{ asked: met[kind], holds: shown === due, saw: quoted(shown), reply }
        })
      add('host', host, below)
      add('first-page-url', first, page)
    }
    for (const [name, domain] of Object.entries({ all: zone.host, own: below })) {
      const reply = await read('cookies', (one) => one.name === name)
      if (reply === undefined) continue
      const { host, domain_attribute: shown } = item(reply)
      const add = (field: string, value: unknown, holds: boolean) =>
        tally.add(clause('cookie', field), { asked: name, holds, saw: quoted(value), reply })
      // A cookie for both hosts may be that of either.
      add('host', host, [below, domain].includes(host))
      // A domain may be written with a dot before it; one that was not set may be left empty.
      const isShown = `${shown}`.replace(/^\./, '').toLowerCase() === domain
      add('domain-attribute', shown, isShown || (name === 'own' && shown === ''))
    }
    tally.tell(context)
  }
})

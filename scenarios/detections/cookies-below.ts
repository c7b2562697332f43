import { check, isOk, type Look, summary } from 'plimsoll'
import { type Item, isServed, item, quoted } from '../_reply.ts'
import { browsers, patiently } from './_browser.ts'
import { originServer } from './_origin.ts'

/** So many pages are loaded, and asked for that often at most. */
const [visits, most] = [3, 9]

const clause = (field: string) => `page-protection.cookie.field.${field}`

export default check({
  title: 'A cookie shows the host that it was found on, and the domain that it was set for',
  clauses: [clause('host'), clause('domain-attribute')],
  needs: ['management', 'edge', 'zone', 'origin'],
  async run(context) {
    const { adapter, edge, verify } = context
    const zone = await adapter.zone('enterprise')
    const below = `www.${zone.host}`
    await using origin = await originServer(() => ({
      type: 'text/html',
      cookies: [`all=1; Path=/; Domain=${zone.host}`, 'own=1; Path=/'],
      body: '<!doctype html><title>Plimsoll</title>'
    }))
    await adapter.origin(zone.id, origin.url)
    const on = browsers(context, zone)
    await on.turn(true)
    // That a zone has hosts below its own is not said; nor is how a target learns of cookies.
    let loaded = 0
    for (let time = 0; time < most && loaded < visits; time++)
      loaded += Number(isOk(await edge.as(below).get('/pay')))
    if (loaded < visits) return
    const named = (all: readonly Item[], name: string) => all.find((one) => one.name === name)
    const { all } = await patiently(
      () => on.listed('cookies'),
      ({ all }) => all.length > 1
    )
    const looks: { [field: string]: Look[] } = { host: [], 'domain-attribute': [] }
    for (const [name, domain] of Object.entries({ all: zone.host, own: below })) {
      const listed = named(all, name)
      const reply = listed && (await on.read('cookies', listed))
      if (!reply || !isServed(reply)) continue
      const { host, domain_attribute: shown } = item(reply)
      const add = (field: string, value: unknown, holds: boolean) =>
        looks[field]!.push({ asked: name, holds, saw: quoted(value), reply })
      add('host', host, host === below)
      // A domain may be written with a dot before it; one that was not set may be left empty.
      const isShown = `${shown}`.replace(/^\./, '').toLowerCase() === domain
      add('domain-attribute', shown, isShown || (name === 'own' && shown === ''))
    }
    for (const [field, some] of Object.entries(looks)) {
      const found = summary(some)
      if (found) verify(clause(field), ...found)
    }
  }
})

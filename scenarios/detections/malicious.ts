import { check } from 'plimsoll'
import { freshId } from '../_id.ts'
import { type Item, isServed, item, quoted } from '../_reply.ts'
import { createTally } from '../_tally.ts'
import { browsers, patiently } from './_browser.ts'
import { directives } from './_meeting.ts'
import { threatsLock } from './_threats.ts'

const names = { scripts: 'script', connections: 'connection' } as const
const kinds = ['scripts', 'connections'] as const
/** What an address is reported by, each with the field that its categories are in. */
const reports = {
  domain: ['domain_reported_malicious', 'malicious_domain_categories'],
  url: ['url_reported_malicious', 'malicious_url_categories']
} as const
type By = keyof typeof reports
const ways = Object.entries(reports) as [By, readonly [flag: string, field: string]][]

const clause = (kind: keyof typeof names, field: string) =>
  `page-protection.${names[kind]}.field.${field.replaceAll('_', '-')}`
const fields = Object.values(reports).flat()
const inOrder = (all: unknown) => (Array.isArray(all) ? [...all].sort() : all)

export default check({
  title: 'What is met of an address that is reported malicious says by what, and as what',
  clauses: kinds.flatMap((kind) => fields.map((field) => clause(kind, field))),
  needs: ['management', 'edge', 'zone', 'page', 'malicious'],
  alone: [threatsLock],
  async run(context) {
    const { adapter, random } = context
    const zone = await adapter.zone('enterprise')
    await adapter.page(zone.id, '<!doctype html><title>Plimsoll</title>')
    const on = browsers(context, zone)
    await on.turn(true)
    const reporter = await on.reporter()
    if (reporter === undefined) return
    const met = ([[], ['domain'], ['url'], ['domain', 'url']] as By[][]).map((by, at) => {
      const host = `${freshId(random).slice(0, 12)}.test`
      // Of a connection a target may show no more than its server.
      const categories = { domain: ['malware', `d${at}`], url: [`u${at}`] }
      return { by, host, address: `https://${host}/`, categories }
    })
    const listed = (by: By, name: 'host' | 'address') =>
      Object.fromEntries(
        met.flatMap((one) => (one.by.includes(by) ? [[one[name], one.categories[by]]] : []))
      )
    await adapter.malicious({ domains: listed('domain', 'host'), urls: listed('url', 'address') })
    const tally = createTally()
    for (const kind of kinds) {
      for (let time = 0; time < 3; time++)
        for (const { address } of met)
          await on.report(reporter, { page: '/', blocked: address, directive: directives[kind] })
      const { all } = await patiently(
        () => on.listed(kind),
        ({ all }) => all.length >= met.length
      )
      for (const { by, address, categories } of met) {
        const found = all.find(({ url }) => url === address)
        const reply = found && (await on.read(kind, found))
        if (!reply || !isServed(reply)) continue
        for (const shown of [found, item(reply)] satisfies Item[])
          for (const [way, [flag, field]] of ways) {
            const isReported = by.includes(way)
            const add = (field: string, holds: boolean) => {
              const saw = `${field} ${quoted(shown[field])}`
              const asked = `reported by ${by.join(' and ') || 'nothing'}`
              tally.add(clause(kind, field), { asked, holds, saw, reply })
            }
            // A list may leave fields out, though not here where it shows them there; a read not.
            const isDue = (name: string) =>
              name in shown || shown !== found || (isReported && all.some((one) => name in one))
            if (isDue(flag)) add(flag, shown[flag] === isReported)
            if (isReported && isDue(field))
              add(field, quoted(inOrder(shown[field])) === quoted(inOrder(categories[way])))
            // What categories are where none are reported is not said; those of the other are not.
            else if (!isReported && by.length > 0 && shown[field] !== undefined) {
              const others: unknown[] = by.flatMap((other) => categories[other])
              const named = [shown[field]].flat()
              add(field, !named.some((name) => others.includes(name)))
            }
          }
      }
    }
    tally.tell(context)
  }
})

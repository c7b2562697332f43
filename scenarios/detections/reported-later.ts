import { check, matrix, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { type Item, isServed, item, quoted } from '../_reply.ts'
import { createTally } from '../_tally.ts'
import { browsers, patiently } from './_browser.ts'
import { directives } from './_meeting.ts'
import { threatsLock } from './_threats.ts'

const names = { scripts: 'script', connections: 'connection' } as const
const kinds = ['scripts', 'connections'] as const
/** What says that an address is reported, each with what says as what. */
const reports = {
  domain_reported_malicious: 'malicious_domain_categories',
  url_reported_malicious: 'malicious_url_categories'
} as const
const flags = Object.keys(reports) as (keyof typeof reports)[]
const clause = (kind: keyof typeof names, field: string) =>
  `page-protection.${names[kind]}.field.${field.replaceAll('_', '-')}`

const dayMs = 86_400_000
/** So often is met what is to be listed: how often that takes is not said. */
const times = 3

export default check({
  title: 'What is reported a day after it was met, or as something else, is shown as that',
  clauses: kinds.flatMap((kind) =>
    Object.entries(reports).flatMap((fields) => fields.map((field) => clause(kind, field)))
  ),
  needs: ['management', 'edge', 'zone', 'page', 'malicious', 'clock'],
  alone: ['clock', threatsLock],
  async run(context) {
    const { adapter, random } = context
    const zone = await adapter.zone('enterprise')
    await adapter.page(zone.id, '<!doctype html><title>Plimsoll</title>')
    const on = browsers(context, zone)
    await on.turn(true)
    // Of a connection a target may show no more than its server.
    const [first, later] = [0, 1].map(() => `${freshId(random).slice(0, 12)}.test`)
    const met = [first!, later!]
    const meet = async () => {
      for (let time = 0; time < times; time++) {
        const reporter = await on.reporter()
        if (reporter === undefined) return false
        const all = matrix({ host: met, directive: kinds.map((kind) => directives[kind]) })
        for (const { host, directive } of all)
          await on.report(reporter, { page: '/pay', blocked: `https://${host}/`, directive })
      }
      return true
    }
    const tally = createTally()
    // What was reported before is so as something else then.
    for (const [category, reported] of [
      ['malware', [first!]],
      ['fraud', met]
    ] as const) {
      if (reported === met) await adapter.clock(dayMs)
      const entries = (of: (host: string) => string) =>
        Object.fromEntries(reported.map((host) => [of(host), [category]]))
      await adapter.malicious({
        ...{ domains: entries((host) => host), urls: entries((host) => `https://${host}/`) }
      })
      if (!(await meet())) return
      for (const { kind, host } of matrix({ kind: kinds, host: met })) {
        const due = reported.includes(host)
        const isNamed = (shown: Item, flag: keyof typeof reports) =>
          !due || [shown[reports[flag]]].flat().includes(category)
        const look = async () => {
          const { all } = await on.listed(kind)
          const found = all.find(({ url }) => url === `https://${host}/`)
          return found && (await on.read(kind, found))
        }
        // How soon a field follows is not said.
        const isSo = (reply: Reply | undefined) =>
          reply !== undefined &&
          flags.every((flag) => item(reply)[flag] === due && isNamed(item(reply), flag))
        const reply = await patiently(look, isSo)
        if (reply === undefined || !isServed(reply)) continue
        const asked = `${due ? '' : 'not '}reported${reported === met ? ', a day later' : ''}`
        for (const flag of flags) {
          const value = item(reply)[flag]
          const saw = `${flag} ${quoted(value)}`
          tally.add(clause(kind, flag), { asked, holds: value === due, saw, reply })
          if (value !== true || !due) continue
          const named = `${reports[flag]} ${quoted(item(reply)[reports[flag]])}`
          tally.add(clause(kind, reports[flag]), {
            ...{ asked: `${asked} as ${category}`, holds: isNamed(item(reply), flag) },
            ...{ saw: named, reply }
          })
        }
      }
    }
    tally.tell(context)
  }
})

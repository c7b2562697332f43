import { check, matrix, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed, item, quoted } from '../_reply.ts'
import { createTally } from '../_tally.ts'
import { browsers, patiently } from './_browser.ts'
import { directives } from './_meeting.ts'
import { threatsLock } from './_threats.ts'

const names = { scripts: 'script', connections: 'connection' } as const
const kinds = ['scripts', 'connections'] as const
const flags = ['domain_reported_malicious', 'url_reported_malicious'] as const
const clause = (kind: keyof typeof names, field: string) =>
  `page-protection.${names[kind]}.field.${field.replaceAll('_', '-')}`

const dayMs = 86_400_000
/** So often is met what is to be listed: how often that takes is not said. */
const times = 3

export default check({
  title: 'What is reported malicious only a day after it was first met is shown as that',
  clauses: kinds.flatMap((kind) => flags.map((flag) => clause(kind, flag))),
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
    for (const reported of [[first!], met]) {
      if (reported === met) await adapter.clock(dayMs)
      const entries = (of: (host: string) => string) =>
        Object.fromEntries(reported.map((host) => [of(host), ['malware']]))
      await adapter.malicious({
        ...{ domains: entries((host) => host), urls: entries((host) => `https://${host}/`) }
      })
      if (!(await meet())) return
      for (const { kind, host } of matrix({ kind: kinds, host: met })) {
        const due = reported.includes(host)
        const look = async () => {
          const { all } = await on.listed(kind)
          const found = all.find(({ url }) => url === `https://${host}/`)
          return found && (await on.read(kind, found))
        }
        // How soon a field follows is not said.
        const isSo = (reply: Reply | undefined) =>
          reply !== undefined && flags.every((flag) => item(reply)[flag] === due)
        const reply = await patiently(look, isSo)
        if (reply === undefined || !isServed(reply)) continue
        const asked = `${due ? '' : 'not '}reported${reported === met ? ', a day later' : ''}`
        for (const flag of flags) {
          const value = item(reply)[flag]
          const saw = `${flag} ${quoted(value)}`
          tally.add(clause(kind, flag), { asked, holds: value === due, saw, reply })
        }
      }
    }
    tally.tell(context)
  }
})

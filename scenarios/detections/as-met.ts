import { setTimeout as sleep } from 'node:timers/promises'
import { check } from 'plimsoll'
import { quoted } from '../_reply.ts'
import { createTally, type Tally } from '../_tally.ts'
import { patiently } from './_browser.ts'
import { type Look, meeting, type Shown } from './_meeting.ts'

const names = { scripts: 'script', connections: 'connection' } as const
const times = ['added_at', 'first_seen_at', 'last_seen_at']
const flags = ['domain_reported_malicious', 'url_reported_malicious', 'url_contains_cdn_cgi_path']
const fields = ['url', 'host', 'first_page_url', 'status', ...times, ...flags]
const clause = (name: string, field: string) =>
  `page-protection.${name}.field.${field.replaceAll('_', '-')}`
const detected = 'page-protection.detection.detected'
const pages = ['/pay', '/cart/2'] as const

/** A timestamp may have no fraction; what happens so long after is later all the same. */
const pauseMs = 1_100
/** How often something is met until it is listed, at most, and at least for it to be usual. */
const [most, least] = [6, 3]

type Meeting = NonNullable<Awaited<ReturnType<typeof meeting>>>

/** Holds each field of a detection against what browsers met, and against what was shown before. */
function judge(tally: Tally, on: Meeting, { look, one, before }: Judged) {
  const { zone, kind } = look
  const told = (field: string, isTrue: (value: any) => boolean) => {
    for (const shown of [one.listed, one.record]) {
      // A list may leave fields out, and not the read of one.
      if (!(field in shown) && shown !== one.record) continue
      const saw = `${field} ${quoted(shown[field])}`
      const name = clause(names[kind], field)
      tally.add(name, { asked: one.url, holds: isTrue(shown[field]), saw, reply: one.reply })
    }
  }
  const since = (field: string) => Date.parse(before.record[field])
  told('host', (host) => host === on.hostOf(zone))
  // Of a connection the server may be shown only.
  told('url', (url) => url === one.url || (kind === 'connections' && one.url.startsWith(url)))
  told('first_page_url', (url) => url === on.originOf(zone) + pages[0])
  told('added_at', (time) => Date.parse(time) === since('added_at'))
  told('first_seen_at', (time) => Date.parse(time) === since('first_seen_at'))
  // How soon it moves on is not said; that it does, an hour later, is asked in seen-again.
  const seen = [since('first_seen_at'), since('last_seen_at')]
  // What is no moment is the matter of its own field.
  const times = seen.filter((time) => !Number.isNaN(time))
  told('last_seen_at', (time) => times.every((one) => Date.parse(time) >= one))
  for (const flag of flags.slice(0, 2)) told(flag, (value) => value === false)
  // Of whose address only the server is shown, the path may count as well.
  const addresses = [one.record.url, one.url]
  told(flags[2]!, (value) => addresses.some((url) => value === url.includes('/cdn-cgi/')))
  if (kind === 'scripts')
    told('page_urls', (all) =>
      [all?.length === 2, ...pages.map((page) => all?.includes(on.originOf(zone) + page))].every(
        Boolean
      )
    )
  told('status', (status) => ['active', 'infrequent'].includes(status))
}

type Judged = { look: Look; one: Shown; before: Shown }

export default check({
  title: 'What is shown of a detection is what browsers met: where, when, and nothing else',
  clauses: [
    ...[detected, clause('script', 'page_urls')],
    ...Object.values(names).flatMap((name) => fields.map((field) => clause(name, field)))
  ],
  needs: ['management', 'edge', 'zone', 'page'],
  async run(context) {
    const on = await meeting(context)
    if (on === undefined) return
    const isWhole = ({ found, zone, kind }: Look) => found.length === on.due(zone, kind)
    const isListed = async () => (await on.look()).every(isWhole)
    for (let time = 0; time < most && (time < least || !(await isListed())); time++)
      await on.meet(pages[0])
    const before = await patiently(on.look, (all) => all.every(isWhole))
    await sleep(pauseMs)
    await on.meet(pages[1])
    const tally = createTally()
    for (const reply of on.defects)
      tally.add(detected, { asked: 'a report', holds: false, saw: reply.because, reply })
    for (const [at, look] of (await on.look()).entries()) {
      const { zone, kind, count, found, reply } = look
      const due = on.due(zone, kind)
      const saw = `${count} listed where browsers met ${due}`
      tally.add(detected, { asked: kind, holds: count === due, saw, reply })
      // As many as there should be, and not by these addresses: it is the addresses that are wrong.
      if (count === due)
        tally.add(clause(names[kind], 'url'), {
          ...{ asked: kind, holds: found.length === due, reply },
          saw: `${found.length} of ${due} by their addresses`
        })
      for (const one of found) {
        const known = before[at]!.found.find(({ url }) => url === one.url)
        if (known) judge(tally, on, { look, one, before: known })
      }
    }
    tally.tell(context)
  }
})

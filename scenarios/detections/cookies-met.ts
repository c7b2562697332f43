import { setTimeout as sleep } from 'node:timers/promises'
import { check, isOk, type Reply } from 'plimsoll'
import { type Item, isServed, item, quoted } from '../_reply.ts'
import { createTally, type Tally } from '../_tally.ts'
import { browsers, patiently } from './_browser.ts'
import { clause, isAlike, like, set } from './_cookies.ts'
import { originServer } from './_origin.ts'

const detected = 'page-protection.detection.detected'
/** Pages that set them. */
const pages = ['/shop/a', '/shop/b'] as const
/** Pages that set them as well, and are loaded before the second of these. */
const seenFirst = ['/pay', pages[0]]
/** A timestamp may have no fraction; what happens so long after is later all the same. */
const pauseMs = 1_100

const fields = [
  ...['name', 'host', 'path_attribute', 'domain_attribute', 'expires_attribute'],
  ...['max_age_attribute', 'http_only_attribute', 'secure_attribute', 'same_site_attribute'],
  ...['type', 'first_page_url', 'page_urls', 'first_seen_at', 'last_seen_at']
]

/** Holds each field of a cookie against what was set, and against what was shown before. */
function judge(tally: Tally, { header, is, host, shown, before, reply }: Judged) {
  const told = (field: string, isTrue: (value: any) => boolean) => {
    for (const one of shown) {
      // A list may leave fields out, and not the read of one; an end is not every cookie's.
      if (!(field in one) && one !== shown[1]) continue
      const saw = `${field} ${quoted(one[field])}`
      tally.add(clause(field), { asked: header, holds: isTrue(one[field]), saw, reply })
    }
  }
  for (const [field, due] of Object.entries(is)) told(field, (value) => isAlike(value, due))
  told('host', (shown) => shown === host)
  told('type', (type) => typeof type === 'string' && type !== '')
  told('first_page_url', (url) => seenFirst.some((page) => `${url}`.endsWith(page)))
  told('page_urls', (all) => pages.every((page) => all?.some((one: string) => one.endsWith(page))))
  told('first_seen_at', (time) => Date.parse(time) === Date.parse(before.first_seen_at))
  // How soon it moves on is not said; that it does, an hour later, is asked in seen-again.
  const seen = [before.first_seen_at, before.last_seen_at].map((time) => Date.parse(time))
  // What is no moment is the matter of its own field.
  const times = seen.filter((time) => !Number.isNaN(time))
  told('last_seen_at', (time) => times.every((one) => Date.parse(time) >= one))
}

type Judged = {
  header: string
  is: { [field: string]: unknown }
  host: string
  /** What the list and the read show of it. */
  shown: Item[]
  before: Item
  reply: Reply
}

export default check({
  title: 'The cookies that a zone’s answers set are detected, each with its attributes',
  clauses: [detected, ...fields.map(clause)],
  needs: ['management', 'edge', 'zone', 'origin'],
  async run(context) {
    const { adapter } = context
    const zone = await adapter.zone('enterprise')
    const cookies = set.map((one) => one(zone.host))
    await using origin = await originServer(() => ({
      type: 'text/html',
      cookies: cookies.map(([header]) => header),
      body: '<!doctype html><title>Plimsoll</title>'
    }))
    await adapter.origin(zone.id, origin.url)
    const on = browsers(context, zone)
    await on.turn(true)
    // How a target learns of cookies is not said; where no page is watched, by no page.
    if ((await on.reporter()) === undefined) return
    for (let time = 0; time < 3; time++) if (!isOk(await on.visit(pages[0]))) return
    const { all: before } = await patiently(
      () => on.listed('cookies'),
      ({ all }) => all.length >= cookies.length
    )
    await sleep(pauseMs)
    await on.visit(pages[1])
    const tally = createTally()
    const { all, replies } = await on.listed('cookies')
    const holds = all.length === cookies.length
    const saw = `${all.length} listed`
    tally.add(detected, { asked: `${cookies.length} cookies`, holds, saw, reply: replies[0]! })
    // As many as there should be: where they are not known by their names, these are wrong.
    const [shown, due] = [
      all.map(({ name }) => `${name}`),
      cookies.map(([, { name }]) => `${name}`)
    ]
    const isNamed = quoted(shown.sort()) === quoted(due.sort())
    const [first] = replies
    if (all.length === cookies.length)
      tally.add(clause('name'), { asked: 'all', holds: isNamed, saw: shown.join(), reply: first! })
    for (const [header, is] of cookies) {
      const [listed, known] = [like(all, is), like(before, is)]
      const reply = listed && (await on.read('cookies', listed))
      if (!reply || !known || !isServed(reply)) continue
      const shown = [listed, item(reply)]
      judge(tally, { header, is, host: zone.host, shown, before: known, reply })
    }
    tally.tell(context)
  }
})

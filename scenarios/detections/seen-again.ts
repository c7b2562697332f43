import { check, type Reply } from 'plimsoll'
import { type Item, isServed, item, quoted } from '../_reply.ts'
import { createTally } from '../_tally.ts'
import { browsers, patiently } from './_browser.ts'
import { judgeSetting, settingClauses, settings } from './_cookies.ts'
import { directives } from './_meeting.ts'
import { originServer } from './_origin.ts'

const names = { scripts: 'script', connections: 'connection', cookies: 'cookie' } as const
const kinds = ['scripts', 'connections', 'cookies'] as const
const clause = (kind: keyof typeof names) => `page-protection.${names[kind]}.field.last-seen-at`
const fetched = 'page-protection.script.field.fetched-at'
const html = '<!doctype html><title>Plimsoll</title>'
const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** How exactly a moment is kept is not said: half of what has passed is no matter of rounding. */
const leastMs = hourMs / 2

/** When something was last seen, as a list or a read shows it. */
const lastOf = (shown: Item | undefined) => Date.parse(`${shown?.last_seen_at}`)

type Shown = (Item | undefined)[]

/** Whether what is shown of a kind was last seen long after what was shown before. */
const isLaterThan = (before: Shown) => (shown: Item | undefined, at: number) =>
  lastOf(shown) - lastOf(before[at]) >= leastMs

/** What was listed on a page an hour before a moment and after it, and the script read before. */
type Met = {
  on: ReturnType<typeof browsers>
  tally: ReturnType<typeof createTally>
  page: string
  was: Reply | undefined
  before: Shown
  after: Shown
  since: number
}

async function judge({ on, tally, page, was, before, after, since }: Met): Promise<void> {
  const isLater = isLaterThan(before)
  for (const [at, kind] of kinds.entries()) {
    const listed = after[at]
    const reply = listed && (await on.read(kind, listed))
    if (!before[at] || !reply || !isServed(reply)) continue
    for (const shown of [listed, item(reply)]) {
      // A list may leave fields out, and not the read of one.
      if (!('last_seen_at' in shown) && shown === listed) continue
      tally.add(clause(kind), {
        asked: `${kind} on ${page}`,
        holds: isLater(shown, at) && lastOf(shown) < since + minuteMs,
        saw: `${quoted(before[at].last_seen_at)}, an hour later ${quoted(shown.last_seen_at)}`,
        reply
      })
    }
    // Content is looked at when a target likes to; of what it has seen by now it knows when.
    const [old, now] = [was && item(was), item(reply)]
    if (kind === 'scripts' && old?.hash !== undefined && now.hash !== old.hash)
      tally.add(fetched, {
        asked: kind,
        holds: Date.parse(now.fetched_at) - Date.parse(old.fetched_at) >= leastMs,
        saw: `${quoted(old.fetched_at)}, other content ${quoted(now.fetched_at)}`,
        reply
      })
  }
}

export default check({
  title: 'What browsers meet again an hour later was last seen then',
  clauses: [...kinds.map(clause), fetched, ...settingClauses],
  needs: ['management', 'edge', 'zone', 'origin', 'clock'],
  alone: ['clock'],
  async run(context) {
    const { adapter } = context
    const zone = await adapter.zone('enterprise')
    let text = 'console.log("once")'
    let [setting] = settings
    await using origin = await originServer((path) =>
      path.endsWith('.js')
        ? { type: 'text/javascript', body: text }
        : {
            type: 'text/html',
            cookies: ['again=1; Path=/', `set=1; Path=/; ${setting![0]}`],
            body: html
          }
    )
    await adapter.origin(zone.id, origin.url)
    const on = browsers(context, zone)
    await on.turn(true)
    const blocked = `${on.origin}/a.js`
    /** A visit of a page, and what its browser reports; whether the page had it report. */
    const meet = async (page: string) => {
      const reporter = await on.reporter()
      await on.visit(page)
      for (const directive of Object.values(directives))
        if (reporter) await on.report(reporter, { page, blocked, directive })
      await on.visit('/a.js')
      return reporter !== undefined
    }
    const isAgain = ({ name }: Item) => name === undefined || name === 'again'
    const look = () =>
      Promise.all(kinds.map(async (kind) => (await on.listed(kind)).all.find(isAgain)))
    for (let time = 0; time < 3; time++) if (!(await meet('/pay'))) return
    let before = await patiently(look, (all) => all.every(Boolean))
    const tally = createTally()
    // What is met is the same on whichever page.
    for (const [time, page] of ['/pay', '/checkout'].entries()) {
      const [was] = await Promise.all(
        before.slice(0, 1).map((one) => one && on.read('scripts', one))
      )
      const since = await adapter.clock(hourMs)
      text = `console.log("again on ${page}")`
      setting = settings[time + 1]
      if (!(await meet(page))) break
      const after = await patiently(look, (all) => all.every(isLaterThan(before)))
      await judge({ on, tally, page, was, before, after, since })
      await judgeSetting(on, tally, setting!)
      before = after
    }
    tally.tell(context)
  }
})

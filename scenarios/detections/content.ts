import { check, isOk, type Reply } from 'plimsoll'
import * as type from '../_field-type.ts'
import { freshId } from '../_id.ts'
import { type Item, isServed, item, quoted } from '../_reply.ts'
import { createTally, type Tally } from '../_tally.ts'
import { browsers, patiently } from './_browser.ts'
import { codings, framings, paths, scriptServer } from './_scripts.ts'

const clause = (field: string) => `page-protection.script.field.${field.replaceAll('_', '-')}`
const [hash, fetched, versions] = [clause('hash'), clause('fetched_at'), clause('versions')]
const scores = ['js_integrity_score', 'obfuscation_score', 'dataflow_score']

/**
 * Holds what is shown of a script against what was shown of it when it had other content, and
 * when it had the same, if it had before.
 */
function judge(tally: Tally, asked: string, { was, now, reply, before }: { [time: string]: any }) {
  const add = (clause: string, holds: boolean, shown: unknown) =>
    tally.add(clause, { asked, holds, saw: quoted(shown), reply })
  const hashes = [was.hash, now.hash]
  const isBack = before !== undefined
  const isSame = !isBack || before.hash === now.hash
  add(hash, type.hash.is(now.hash) && was.hash !== now.hash && isSame, hashes)
  if (!hashes.every(type.hash.is)) return
  add(fetched, type.timestamp.is(now.fetched_at), now.fetched_at)
  for (const field of scores)
    add(clause(field), Number.isInteger(now[field]), `${field} ${now[field]}`)
  const all: Item[] = Array.isArray(now.versions) ? now.versions : []
  const isThere = [was, now].every((one) =>
    all.some(
      ({ hash, js_integrity_score: score }) =>
        hash === one.hash &&
        // A score that is none is judged as such.
        (!Number.isInteger(one.js_integrity_score) || score === one.js_integrity_score)
    )
  )
  // What a script has once more may be a version of its own.
  add(versions, isThere && all.length >= 2 && all.length <= (isBack ? 3 : 2), all)
}

/** Holds the hashes of one content against each other: in whichever coding it came, it is one. */
function judgeCodings(tally: Tally, shown: (Reply | undefined)[]) {
  const known = shown.filter((reply) => reply && type.hash.is(item(reply).hash)) as Reply[]
  const hashes = new Set(known.map((reply) => item(reply).hash))
  const saw = `${hashes.size} hashes of ${known.length} scripts with one content`
  if (known[0])
    tally.add(hash, { asked: 'codings', holds: hashes.size === 1, saw, reply: known[0] })
}

export default check({
  title: 'A script is shown with what is true of its content, and of the content before that',
  clauses: [hash, fetched, versions, ...scores.map(clause)],
  needs: ['management', 'edge', 'zone', 'origin'],
  async run(context) {
    const { adapter, random } = context
    const zone = await adapter.zone('enterprise')
    await using origin = await scriptServer(freshId(random))
    await adapter.origin(zone.id, origin.url)
    const on = browsers(context, zone)
    await on.turn(true)
    const reporter = await on.reporter()
    if (reporter === undefined) return
    /** What is shown of each script. */
    const look = async () => {
      const { all } = await on.listed('scripts')
      const listed = paths.map((path) => all.find(({ url }) => url === on.origin + path))
      return Promise.all(listed.map((one) => one && on.read('scripts', one)))
    }
    /** Reports a script, as browsers do, and loads it. */
    const load = async (path: string) => {
      const script = { page: '/pay', blocked: on.origin + path, directive: 'script-src-elem' }
      for (let time = 0; time < 3; time++) await on.report(reporter, script)
      // The same content once more is no other version of it, in however many pieces it comes.
      for (const _ of framings) if (!isOk(await on.visit(path))) return false
      // Nor is it forgotten when browsers go on meeting it.
      await on.report(reporter, script)
      return true
    }
    const shown: Awaited<ReturnType<typeof look>>[] = []
    for (let time = 0; time < 3; time++) {
      origin.becomes(time === 1 ? 'later' : 'first')
      for (const path of paths) if (!(await load(path))) return
      // When content is looked at is not said: what has it must show other content than before.
      const hashOf = (reply: Reply | undefined) => reply && item(reply)?.hash
      const isSeen = (reply: Reply | undefined, n: number) =>
        hashOf(reply) !== undefined && hashOf(reply) !== hashOf(shown.at(-1)?.[n])
      shown.push(await patiently(look, (all) => all.every(isSeen)))
    }
    const tally = createTally()
    for (const [n, { change }] of Object.values(codings).entries()) {
      const [first, later, last] = shown.map((all) => (all[n] && isServed(all[n]) ? all[n] : null))
      if (!first || !later) continue
      const asked = `${paths[n]}, ${change}`
      judge(tally, asked, { was: item(first), now: item(later), reply: later })
      if (!last || item(first).hash === item(later).hash) continue
      const back = { was: item(later), now: item(last), before: item(first), reply: last }
      judge(tally, `${asked}, and back`, back)
    }
    judgeCodings(tally, shown[0]!)
    tally.tell(context)
  }
})

import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { check, isOk, type Reply } from 'plimsoll'
import * as type from '../_field-type.ts'
import { freshId } from '../_id.ts'
import { type Item, isServed, item, quoted } from '../_reply.ts'
import { createTally, type Tally } from '../_tally.ts'
import { browsers, patiently } from './_browser.ts'
import { originServer } from './_origin.ts'

const clause = (field: string) => `page-protection.script.field.${field.replaceAll('_', '-')}`
const [hash, fetched, versions] = [clause('hash'), clause('fetched_at'), clause('versions')]
const scores = ['js_integrity_score', 'obfuscation_score', 'dataflow_score']

/** What scores may look for: a script that hides what it does, and sends what it reads. */
const disguised = [
  ...['eval(atob("MQ=="))', `const _0x4f2a = "${'\\x61'.repeat(20)}"`],
  'if (document.cookie && localStorage.length > 9) fetch("/x", { body: new FormData() })'
].join('\n')

/** Scripts by the coding they are sent in, and what becomes of the one content that all have. */
const codings: {
  [name: string]: {
    sent: (text: string) => Buffer
    change: string
    later: (text: string) => string
  }
} = {
  '': { sent: Buffer.from, change: 'more of it', later: (text) => `${text}\n${disguised}` },
  gzip: { sent: gzipSync, change: 'white space behind it', later: (text) => `${text} \n` },
  deflate: {
    sent: deflateSync,
    change: 'one more space',
    later: (text) => text.replace(' ', '  ')
  },
  br: { sent: brotliCompressSync, change: 'a capital', later: (text) => text.replace('l', 'L') },
  zstd: { sent: zstdCompressSync, change: 'white space before it', later: (text) => `\n ${text}` }
}

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
    const text = `// Plimsoll\nconsole.log("${freshId(random)}") // the end`
    let isLater = false
    await using origin = await originServer((path) => {
      const coding = /([a-z]*)\.js$/.exec(path)?.[1]
      if (coding === undefined)
        return { type: 'text/html', body: '<!doctype html><title>Plimsoll</title>' }
      const { sent, later } = codings[coding]!
      return { type: 'text/javascript', coding, body: sent(isLater ? later(text) : text) }
    })
    await adapter.origin(zone.id, origin.url)
    const on = browsers(context, zone)
    await on.turn(true)
    const reporter = await on.reporter()
    if (reporter === undefined) return
    const paths = Object.keys(codings).map((coding) => `/${coding}.js`)
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
      // The same content once more is no other version of it.
      for (let time = 0; time < 2; time++) if (!isOk(await on.visit(path))) return false
      // Nor is it forgotten when browsers go on meeting it.
      await on.report(reporter, script)
      return true
    }
    const shown: Awaited<ReturnType<typeof look>>[] = []
    for (let time = 0; time < 3; time++) {
      isLater = time === 1
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

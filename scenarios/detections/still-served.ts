import { check, isAnswered, isOk, type Look, type Reply, summary } from 'plimsoll'
import { browsers } from './_browser.ts'
import { type Answered, originServer } from './_origin.ts'

const clause = 'page-protection.detection.detected'
const [html, script] = ['text/html', 'text/javascript']
const title = '<title>Plimsoll</title>'
const page = `<!doctype html>${title}`

/** Answers of which little or nothing can be told: odd cookies, and scripts nobody can read. */
const answers: { [path: string]: Answered } = {
  '/nameless': { type: html, cookies: ['=nameless', 'bare', ''], body: page },
  '/elsewhere': { type: html, cookies: ['a=1; Domain=elsewhere.test; Path=nowhere'], body: page },
  '/never': { type: html, cookies: ['b=1; Expires=later; Max-Age=soon', 'c; ; =;'], body: page },
  '/own.js': { type: script, coding: 'plimsoll', isChunked: true, body: 'console.log(1)' },
  '/broken.js': { type: script, coding: 'gzip', isChunked: true, body: 'console.log(2)' },
  '/large.js': { type: script, body: `// ${'x'.repeat(1_500_000)}` },
  '/empty.js': { type: script, body: '' }
}

/** How often is asked for what was not served. */
const most = 3

/** What of an answer is another one than where nobody watches; a page may have more in it. */
function changed(bare: Reply, reply: Reply): string[] {
  const [before, after] = [bare, reply].map(({ status, headers, body, received }) => ({
    ...{ status, body, received, type: headers['content-type'] ?? '' },
    ...{ coding: headers['content-encoding'], cookies: headers['set-cookie'] ?? '' }
  }))
  const isPage = before!.type.startsWith(html)
  const isBody = isPage ? after!.body.includes(title) : after!.received === before!.received
  return [
    ...(after!.status === before!.status ? [] : ['status']),
    ...(after!.type === before!.type && after!.coding === before!.coding ? [] : ['type']),
    ...(after!.cookies.includes(before!.cookies) ? [] : ['cookies']),
    ...(isBody && (isPage || after!.body === before!.body) ? [] : ['body'])
  ]
}

export default check({
  title:
    'What nothing can be detected of is served while the feature is on as it is while it is off',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'origin'],
  expectedReplies: ['closed'],
  async run(context) {
    const { adapter, verify } = context
    await using origin = await originServer((path) => answers[path] ?? { type: html, body: page })
    const zones = [await adapter.zone('enterprise'), await adapter.zone('enterprise')]
    for (const { id } of zones) await adapter.origin(id, origin.url)
    const [on, off] = zones.map((zone) => browsers(context, zone)) as [
      ReturnType<typeof browsers>,
      ReturnType<typeof browsers>
    ]
    await on.turn(true)
    await off.turn(false)
    const looks: Look[] = []
    for (const path of Object.keys(answers)) {
      const bare = await off.visit(path)
      let reply: Reply = await on.visit(path)
      for (let time = 1; time < most && !isOk(reply); time++) reply = await on.visit(path)
      // What is not served anyway, or is nobody's answer, shows nothing of what watching does.
      if (!isOk(bare) || !(isAnswered(reply) || reply.kind === 'closed')) continue
      const other = isOk(reply) ? changed(bare, reply) : []
      const saw = `${reply.because}${other.map((what) => `, another ${what}`).join('')}`
      looks.push({ asked: path, holds: isOk(reply) && other.length === 0, saw, reply })
    }
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
})

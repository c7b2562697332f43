import { type Context, matrix, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { type Item, isDefect, isServed, item } from '../_reply.ts'
import { browsers, type Met } from './_browser.ts'

/** What browsers can meet, by the directive that a report names. */
export const directives = { scripts: 'script-src-elem', connections: 'connect-src' } as const
type Kind = keyof typeof directives

/** By CSP Level 2 a script of a page is against another directive than by Level 3. */
const directiveOf = (kind: Kind, nth: number) =>
  kind === 'scripts' && nth > 0 ? 'script-src' : directives[kind]

/** What is shown of something that was met: in the list, and by itself where it is served. */
export type Shown = { url: string; listed: Item; record: Item; reply: Reply }

/** What a zone shows of a kind: of what was met there, in that order, and how many in all. */
export type Look = { kind: Kind; zone: number; count: number; found: Shown[]; reply: Reply }

const html = '<!doctype html><title>Plimsoll</title><p>Pages.</p>'

/** Reports of which nothing comes: of no address, of neither kind, or of a page of others. */
function strays(name: () => string): (Omit<Met, 'page'> & Partial<Met>)[] {
  const address = () => `https://${name()}.test/a.js`
  return [
    ...['inline', 'eval', 'data', 'about'].map((blocked) => ({ blocked, directive: 'script-src' })),
    ...['img-src', 'style-src'].map((directive) => ({ blocked: address(), directive })),
    { page: `http://${name()}.test/pay`, blocked: address(), directive: directives.scripts }
  ]
}

/**
 * Two fresh zones on whose pages browsers meet the same scripts and connections: some of each in
 * the first one, and the first of these in the second. Undefined where pages name no address for
 * reports.
 */
export async function meeting(context: Context) {
  const { adapter, random } = context
  const name = () => freshId(random).slice(0, 12)
  const places = [
    ...matrix({ path: ['/a.js', '/cdn-cgi/x/b.js'], scheme: ['https', 'http'], below: [''] }),
    // This has the letters of that path in all of its names, and not the path.
    { path: '/my-cdn-cgi/cdn-cgi.js', scheme: 'https', below: 'cdn-cgi.' }
  ]
  const addresses = (host: () => string) =>
    places.map(({ path, scheme, below }) => `${scheme}://${below}${host()}.test${path}`)
  const server = name()
  // Of connections to one server a target may show no more than that.
  const met = { scripts: addresses(() => server), connections: addresses(name) }
  const kinds = Object.keys(met) as Kind[]
  const others = strays(name)
  const zones = [await adapter.zone('enterprise'), await adapter.zone('enterprise')]
  const stages = zones.map((zone) => browsers(context, zone))
  const reporters: string[] = []
  for (const [at, { id }] of zones.entries()) {
    await adapter.page(id, html)
    await stages[at]!.turn(true)
    const reporter = await stages[at]!.reporter()
    if (reporter === undefined) return undefined
    reporters.push(reporter)
  }
  const defects: Reply[] = []
  const metIn = (zone: number, kind: Kind) => met[kind].slice(0, zone === 0 ? places.length : 1)

  async function shown(zone: number, kind: Kind): Promise<Look> {
    const on = stages[zone]!
    const { all, replies } = await on.listed(kind)
    const found: Shown[] = []
    for (const url of metIn(zone, kind)) {
      const known = [url, ...(kind === 'connections' ? [`${new URL(url).origin}/`] : [])]
      const listed = all.find((one) => known.includes(one.url))
      const reply = listed && (await on.read(kind, listed))
      if (reply && isServed(reply)) found.push({ url, listed, record: item(reply), reply })
    }
    return { kind, zone, count: all.length, found, reply: replies[0]! }
  }

  return {
    hostOf: (zone: number) => zones[zone]!.host,
    originOf: (zone: number) => stages[zone]!.origin,
    /** Answers to reports that are a defect of who takes them. */
    defects,
    due: (zone: number, kind: Kind) => metIn(zone, kind).length,
    /** Has browsers meet everything on a page of each zone. */
    async meet(page: string) {
      for (const [zone, on] of stages.entries()) {
        const all: Omit<Met, 'page'>[] = kinds.flatMap((kind) =>
          metIn(zone, kind).map((blocked, nth) => ({ blocked, directive: directiveOf(kind, nth) }))
        )
        for (const one of zone === 0 ? [...all, ...others] : all)
          defects.push(...[await on.report(reporters[zone]!, { page, ...one })].filter(isDefect))
      }
    },
    /** What is shown of all that was met, in an order that stays. */
    look: async () => [
      ...[await shown(0, 'scripts'), await shown(0, 'connections')],
      ...[await shown(1, 'scripts'), await shown(1, 'connections')]
    ]
  }
}

import type { Arbitraries, Context, Look, Reply } from 'plimsoll'
import type { Kind } from '../_detections.ts'
import { isList } from '../_reply.ts'
import { type Seed, seeds, shown } from '../_seed.ts'

/** What a list is asked for; what is left out is left to the target. */
export type Query = { status?: Seed['status']; hosts?: string; per_page?: number }

/** What the pages of a list showed: what was placed, in order, and undefined for anything else. */
export type Walk = { pages: (Seed | undefined)[][]; replies: [Reply, ...Reply[]] }

/** A list of which it is known what is in it. */
export type Listing = {
  kind: Kind
  placed: Seed[]
  /** What the document says that a query leaves in the list. */
  meant: (query: Query) => Seed[]
  page: (query: Query & { page?: number }) => Promise<Reply>
  /** All of its pages, one after another. */
  walk: (query: Query) => Promise<Walk>
}

/** Hosts of which others are part: below one, above it, with as much before or behind it. */
export const listedHosts = [
  ...['login.seeded.test', 'www.login.seeded.test', 'seeded.test'],
  ...['elogin.seeded.test', 'login.seeded.test.listed.test']
]

/** The statuses there are, and the lists. */
export const statuses = ['active', 'infrequent'] as const
export const kinds: readonly Kind[] = ['scripts', 'connections', 'cookies']

/** A status or none, a host or none, and a size of pages, made by chance. */
export const status = (any: Arbitraries) => any.constantFrom(undefined, ...statuses)
export const hosts = (any: Arbitraries) => any.constantFrom(undefined, ...listedHosts)
export const perPage = (any: Arbitraries) => ({ per_page: any.integer({ min: 2, max: 9 }) })

/** A query with a size of pages, and with the filters that scripts alone are documented to have. */
export const queryOf = (any: Arbitraries, kind: Kind) =>
  any.record({
    ...perPage(any),
    ...(kind === 'scripts' && { hosts: hosts(any), status: status(any) })
  })

/** Sizes of a page, of which a target may refuse those that are more than it has. */
const sizes = [1, 10, 20, 25, 50, 51, 75, 100, 1_000] as const

/** Items a page holds where a query does not say: more than a default page is not counted on. */
export const atOnce = 20

/** Active and infrequent items whose hosts and statuses take turns in other rhythms. */
function items(kind: Kind, random: Context['random']): Seed[] {
  return Array.from({ length: 30 }, (_, number) => {
    const [seed] = seeds(kind, number % 4 < 2 ? 'active' : 'infrequent', { count: 1, random })
    // One host has more of them than a page, and each of the others a few.
    const host = number % 2 === 0 ? 0 : number % listedHosts.length
    return { ...seed!, host: listedHosts[host]! }
  })
}

/** The lists of a fresh zone, those that are served; a neighbour of it has the same ids. */
export async function listings(
  { management, adapter, random }: Pick<Context, 'management' | 'adapter' | 'random'>,
  kinds: readonly Kind[]
): Promise<Listing[]> {
  const [zone, neighbour] = [await adapter.zone('enterprise'), await adapter.zone('pro')]
  const found: Listing[] = []
  for (const kind of kinds) {
    const placed = items(kind, random)
    const others = placed.map(({ id }): Seed => {
      const [other] = seeds(kind, 'active', { count: 1, random })
      return { ...other!, id }
    })
    await adapter.detections(zone.id, { [kind]: placed })
    await adapter.detections(neighbour.id, { [kind]: others })
    const path = `/zones/${zone.id}/page_shield/${kind}`
    if (!isList(await management.get(path))) continue
    const page: Listing['page'] = (query) => management.get(path, { query })
    const meant: Listing['meant'] = ({ status = 'active', hosts }) =>
      placed.filter((seed) => seed.status === status && (hosts ?? seed.host) === seed.host)
    found.push({ kind, placed, meant, page, walk: (query) => walk({ placed, meant, page }, query) })
  }
  return found
}

async function walk(
  { placed, meant, page }: Pick<Listing, 'placed' | 'meant' | 'page'>,
  query: Query
): Promise<Walk> {
  const { per_page = atOnce } = query
  const due = Math.max(1, Math.ceil(meant(query).length / per_page))
  const walked: { reply: Reply; seeds: Walk['pages'][number] }[] = []
  // One that is full may have another behind it, be it meant or not; what is none ends the list.
  const isMore = () => walked.length < due || walked.at(-1)!.seeds.length >= per_page
  while (isMore() && walked.length * per_page <= placed.length) {
    const reply = await page({ ...query, per_page, page: walked.length + 1 })
    if (walked.length >= due && !isList(reply)) break
    walked.push({ reply, seeds: shown(reply, placed) })
  }
  const replies = walked.map(({ reply }) => reply) as Walk['replies']
  return { pages: walked.map(({ seeds }) => seeds), replies }
}

/** What a list shows on a first page of each size, of which all has to be as it is meant. */
export async function atEachSize(
  { kind, placed, page }: Listing,
  query: Query,
  isMeant: (seed: Seed) => boolean
): Promise<Look[]> {
  const looks: Look[] = []
  for (const per_page of sizes) {
    const reply = await page({ ...query, per_page })
    if (!isList(reply)) continue
    const listed = shown(reply, placed)
    const holds = listed.length > 0 && listed.every((seed) => seed !== undefined && isMeant(seed))
    const saw = `${statusesIn([listed])}, of ${hostsIn([listed])}`
    looks.push({ asked: worded(kind, { ...query, per_page }), holds, saw, reply })
  }
  return looks
}

/** A query as a sentence has it. */
export function worded(kind: Kind, query: Query): string {
  const members = Object.entries(query).filter(([, value]) => value !== undefined)
  return `${kind}?${members.map(([name, value]) => `${name}=${value}`).join('&')}`
}

/** What pages showed, page after page, by the hosts or statuses of what was placed. */
export const hostsIn = (pages: Walk['pages']) => told(pages, (seed) => seed?.host)
export const statusesIn = (pages: Walk['pages']) => told(pages, (seed) => seed?.status)

function told(pages: Walk['pages'], of: (seed: Seed | undefined) => string | undefined): string {
  const counted = pages.map((page) => {
    const groups = Map.groupBy(page, (seed) => of(seed) ?? 'something else')
    return [...groups].map(([name, { length }]) => `${length} ${name}`).join(' and ') || 'nothing'
  })
  return counted.join(', then ')
}

import type { Context, Reply } from 'plimsoll'
import type { Kind } from './_detections.ts'
import { freshId } from './_id.ts'
import { items } from './_reply.ts'

/** A detection that a scenario places itself, so that it knows what a list has to show. */
export type Seed = { id: string; host: string; status: 'active' | 'infrequent' } & (
  | { url: string }
  | { name: string }
)

/** The two hosts detections are placed on; neither is part of the other. */
export const hosts = ['shop.seeded.test', 'blog.seeded.test'] as const

/** So many items fit a page of any target; how many one has where nobody asks is not said. */
export const smallPage = 5

/** As many detections as asked for, the hosts taking turns. */
export function seeds(
  kind: Kind,
  status: Seed['status'],
  { count, random }: { count: number; random: Context['random'] }
): Seed[] {
  return Array.from({ length: count }, (_, number) => {
    const id = freshId(random)
    const common = { id, status, host: hosts[number % hosts.length]! }
    const address = `https://third-party.test/${id}`
    return kind === 'cookies' ? { ...common, name: `seeded_${id}` } : { ...common, url: address }
  })
}

/**
 * What a list shows of what was placed in its zone; undefined stands for an item that was not. Its
 * address or name tells an item as well as its id does.
 */
export function shown(reply: Reply, placed: readonly Seed[]): (Seed | undefined)[] {
  return items(reply).map((item) =>
    placed.find(
      (seed) =>
        seed.id === item.id ||
        ('url' in seed && seed.url === item.url) ||
        ('name' in seed && seed.name === item.name)
    )
  )
}

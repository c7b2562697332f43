import { percent } from '../number.ts'
import { binomialTail } from '../statistics/binomial.ts'
import { leadsElsewhere } from './redirects.ts'
import type { Block, Pair, Trial } from './trial.ts'

type Arm = 'a' | 'b'
const arms: readonly Arm[] = ['a', 'b']

/** Of fewer answers than this a share tells nothing. */
const fewest = 30

/** By how much more of its answers has to have some status on one side to be other work. */
const otherShare = 0.1

/** Less than that is worth a word where chance would have it so rarely. */
const notable = { share: 0.01, chance: 0.001 }

/** Answers are notably larger by this in all, in more pairs than chance has it. */
const larger = 1.05

const isEmpty = (status: string) => ['204', '205', '304'].includes(status)

const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
  items.reduce((total, item) => total + of(item), 0)

/** One side's requests, those of them that were no failures, and what all had for answers. */
function sideOf(pairs: readonly Pair[], arm: Arm) {
  const trials = pairs.map((pair) => pair[arm])
  const requests = sum(trials, (trial) => trial.requests)
  const answers = requests - sum(trials, ({ failures }) => failures)
  const counts = trials.flatMap(({ statuses = {} }) => Object.entries(statuses))
  return {
    name: arm.toUpperCase(),
    answers,
    statuses: counts.map(([status]) => status),
    bytes: sum(trials, ({ receivedBytes = 0 }) => receivedBytes) / Math.max(1, requests),
    count: (is: (status: string) => boolean) =>
      sum(counts, ([status, count]) => (is(status) ? count : 0))
  }
}

/** The side of which a larger share of answers has such a status, and the other. */
function moreOf(pairs: readonly Pair[], is: (status: string) => boolean) {
  const sides = arms.map((arm) => sideOf(pairs, arm))
  if (sides.some(({ answers }) => answers < fewest)) return
  const told = sides.map((side) => {
    const count = side.count(is)
    return { ...side, count, such: count / side.answers }
  })
  const [more, fewer] = told.sort((one, other) => other.such - one.such)
  const by = more!.such - fewer!.such
  return { more: more!, fewer: fewer!, isOther: by > otherShare, isNotable: by > notable.share }
}

/** Whether chance has so much more of what one side answers as rarely as is worth a word. */
function isNoChance({ more, fewer }: NonNullable<ReturnType<typeof moreOf>>): boolean {
  const probability = more.answers / (more.answers + fewer.answers)
  const draws = more.count + fewer.count
  return binomialTail(more.count, { draws, probability }) < notable.chance
}

/**
 * That one side redirects a tenth of its requests more than the other, or leaves so many more
 * without the content that the other sends, in words: that is other work, and nothing faster.
 */
export function otherWork(pairs: readonly Pair[]): string | undefined {
  const away = moreOf(pairs, leadsElsewhere)
  if (away?.isOther) {
    const { more, fewer } = away
    const told = `${more.name} redirects ${percent(more.such)} of its requests and ${fewer.name}`
    return `${told} ${percent(fewer.such)}: that is other work; give the URL where each leads to`
  }
  const without = moreOf(pairs, isEmpty)
  // Where the other one's content is none either, only the status is another one.
  if (!without?.isOther || without.more.bytes > (1 - without.more.such / 2) * without.fewer.bytes)
    return
  const { more, fewer } = without
  const told = `${more.name} answers ${percent(more.such)} of its requests without content and`
  return `${told} ${fewer.name} ${percent(fewer.such)}: that is other work; ask for what both have`
}

/** How many bytes an answer has, its headers counted; a failure is told of by itself. */
function bytesOf({ receivedBytes, requests, failures }: Trial): number[] {
  return receivedBytes === undefined || failures > 0 || requests === 0
    ? []
    : [receivedBytes / requests]
}

/** That the answers of one side are notably larger, and in more pairs than chance has it. */
function largerAnswers(pairs: readonly Pair[]): string[] {
  const both = pairs.flatMap((pair) =>
    bytesOf(pair.a).flatMap((a) => bytesOf(pair.b).map((b) => ({ a, b })))
  )
  const bytes = arms.map((arm) => sum(both, (pair) => pair[arm]) / both.length)
  const [most, least] = [Math.max(...bytes), Math.min(...bytes)]
  const uneven = both.filter(({ a, b }) => a !== b)
  const more = uneven.filter(({ a, b }) => a > b).length
  const chance = { draws: uneven.length, probability: 0.5 }
  const isSure = binomialTail(Math.max(more, uneven.length - more), chance) < notable.chance
  if (!isSure || !(most > larger * least)) return []
  const [a, b] = bytes.map(Math.round)
  return [`an answer of B's has ${b} bytes, and of A's ${a}`]
}

/** Which status one side answers with notably more often, in words: those of B's, else of A's. */
function otherStatuses(pairs: readonly Pair[]): string[] {
  const statuses = new Set(arms.flatMap((arm) => sideOf(pairs, arm).statuses))
  const found = [...statuses].flatMap((status) => {
    const other = Number(status) < 400 ? moreOf(pairs, (one) => one === status) : undefined
    const isTold = other && (other.isOther || (other.isNotable && isNoChance(other)))
    return isTold ? [{ status, ...other }] : []
  })
  const ofB = found.filter(({ more }) => more.name === 'B')
  return (ofB.length > 0 ? ofB : found).map(({ status, more, fewer }) => {
    const told = `${more.name} answers ${percent(more.such)} of its requests with ${status}`
    return `${told}, and ${fewer.name} ${percent(fewer.such)}`
  })
}

/**
 * That the answers of both differ, by status or in size, in words; else undefined. It may be meant:
 * nobody looks at what they say.
 */
export function otherAnswers(blocks: readonly Block[]): string | undefined {
  const pairs = blocks.flat()
  return [...otherStatuses(pairs), ...largerAnswers(pairs)].join('; ') || undefined
}

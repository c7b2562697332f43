import { Failure } from '../../../src/cli/failure.ts'
import { random, shuffled } from '../../../src/random.ts'
import { oneOf } from '../../usage.ts'
import { operators } from './operators/operators.ts'
import { type Mutation, partOf } from './sites.ts'

/** The mutations of a part, of an operator and on lines, where those are given; else a failure. */
export function among(
  all: readonly Mutation[],
  asked: { part?: string; operator?: string; line?: readonly string[] }
): Mutation[] {
  const { line: places = [] } = asked
  const parts = [...new Set(all.map(({ file }) => partOf(file)))].sort()
  const part = asked.part && oneOf(parts, { flag: 'part', asked: asked.part })
  const names = operators.map(({ name }) => name)
  const operator = asked.operator && oneOf(names, { flag: 'operator', asked: asked.operator })
  const lines = new Set(all.map(({ file, line }) => `${file}:${line}`))
  for (const place of places) {
    if (!/^[^:]+:\d+$/.test(place))
      throw new Failure(`--line is FILE:LINE, as src/platform/platform.ts:12, and not ${place}`)
    if (!lines.has(place)) throw new Failure(`--line: no operator makes a fault on ${place}`)
  }
  return all.filter(
    (one) =>
      (!part || partOf(one.file) === part) &&
      (!operator || one.operator === operator) &&
      (places.length === 0 || places.includes(`${one.file}:${one.line}`))
  )
}

/**
 * So many mutations, decided by the seed: the parts take turns, and within a part the operators, so
 * that a large part or a frequent operator counts no more than others. No two are on one line,
 * unless there is nothing else.
 */
export function sampled(all: readonly Mutation[], options: { size: number; seed: number }) {
  const { size, seed } = options
  const parts = [...Map.groupBy(all, ({ file }) => partOf(file))]
    .map(([part, own]) => inTurns(own, seed, part))
    .sort((one, other) => other.length - one.length)
  return interleaved(parts).slice(0, size)
}

function inTurns(own: readonly Mutation[], seed: number, part: string): Mutation[] {
  const order = shuffled(own, random(seed, part))
  const byOperator = [...Map.groupBy(order, ({ operator }) => operator).values()]
  const lines = new Set<string>()
  const [first, rest]: [Mutation[], Mutation[]] = [[], []]
  for (const one of interleaved(byOperator)) {
    const line = `${one.file}:${one.line}`
    ;(lines.has(line) ? rest : first).push(one)
    lines.add(line)
  }
  return [...first, ...rest]
}

/** The first of each list, then the second of each, and so on. */
function interleaved<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const most = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: most }, (_, at) =>
    lists.flatMap((list) => (at < list.length ? [list[at]!] : []))
  ).flat()
}

import { code, keyOf, quoted } from './code.ts'
import type { Distinct } from './distinct.ts'
import type { HowAsked, LimitValue } from './how-asked.ts'
import type { RequestClause } from './request-plan.ts'

/** A clause whose line is searched for. */
export type LimitClause = RequestClause & { asked: HowAsked & { form: 'limit' } }

/** The values that are listed, of which others are made. */
const listedIn = (of: Distinct): readonly unknown[] | undefined =>
  of.kind === 'listed' ? of.values : of.kind === 'objects' ? listedIn(of.of) : undefined

/** The different value of a number `index`, as TypeScript; where they are listed, of `values`. */
function differingCode(of: Distinct): string {
  if (of.kind === 'listed') return 'values[index]'
  if (of.kind === 'objects') {
    const { [of.field]: _, ...others } = of.item as Record<string, unknown>
    const field = `${keyOf(of.field)}: ${differingCode(of.of)}`
    const rest = Object.entries(others).map(([key, one]) => `${keyOf(key)}: ${code(one)}`)
    return `({ ${[...rest, field].join(', ')} })`
  }
  if (of.kind === 'numbers') {
    const times = Math.abs(of.step) === 1 ? 'index' : `${Math.abs(of.step)} * index`
    return of.from === 0 && of.step > 0 ? times : `${of.from} ${of.step > 0 ? '+' : '-'} ${times}`
  }
  const number = of.digits === 0 ? 'index' : `String(index).padStart(${of.digits}, '0')`
  return [quoted(of.head), number, ...(of.tail === '' ? [] : [quoted(of.tail)])].join(' + ')
}

/** What is sent of a number `n`, as TypeScript. */
function sentValue(value: LimitValue): string {
  if (value.kind === 'number') return 'n'
  if (value.kind === 'list') {
    const { of, item } = value
    if (of?.kind === 'listed') return 'values.slice(0, n)'
    const made = of ? `(_, index) => ${differingCode(of)}` : `() => (${code(item)})`
    return `Array.from({ length: n }, ${made})`
  }
  if (value.kind === 'object') {
    const members = `(_, index) => [\`x\${index}\`, ${code(value.item)}]`
    return `Object.fromEntries(Array.from({ length: n }, ${members}))`
  }
  const { head, fill, tail } = value.sized
  const rest = [...head, ...tail].length
  const middle = `${quoted(fill)}.repeat(${rest > 0 ? `n - ${rest}` : 'n'})`
  const [before, after] = [head, tail].map((text) => (text === '' ? [] : [quoted(text)]))
  return [...before!, middle, ...after!].join(' + ')
}

/**
 * How many times a limit the largest number is that there is a value of, or a smaller one: so that
 * their product is whole.
 */
function ceilingFor(max: number, most: number): number {
  let last = most
  while (last > max + 1 && (last / max) * max !== last) last--
  return last / max
}

/** Up to where a value is taken, and what else may have to go with it, as TypeScript. */
function relationOf(
  value: LimitValue,
  { upTo, step, related }: { upTo: number; step: number; related: string[] | undefined }
): string {
  if (value.kind !== 'number' && value.kind !== 'text') return ''
  const more =
    value.kind === 'text'
      ? { ...(value.like !== undefined && { like: value.like }) }
      : { ...(step !== 1 && { step }), ...(related && { related }) }
  return `, ${code({ upTo, ...more })}`
}

/** The scenario that searches for the line of a limit. */
export function limitFile({ clause, at, asked, beside = {}, related }: LimitClause): string {
  const { max, smallest, resolution = 1, value, most } = asked
  const amount = value.kind === 'number' ? max : `${max} ${clause.unit}`
  const values = value.kind === 'list' && value.of ? listedIn(value.of) : undefined
  const others = Object.entries(beside).map(([place, one]) => `${keyOf(place)}: ${code(one)}`)
  const changes = [`${keyOf(at)}: ${sentValue(value)}`, ...others]
  const relation = relationOf(value, { upTo: max, step: resolution, related })
  const words = others.some((one) => one.endsWith(': absent')) ? 'absent, limit' : 'limit'
  const lines = [
    `  title: ${quoted(`${clause.section}: ${at} may be up to ${amount}, and not more`)},`,
    // A large number is as short a request as a small one.
    ...(max > 1_000_000 && value.kind !== 'number' ? [`  tier: 'full',`] : []),
    `  max: ${max},`,
    `  clause: ${quoted(clause.id)},`,
    `  unit: ${quoted(clause.unit!)},`,
    ...(smallest === 1 ? [] : [`  smallest: ${smallest},`]),
    ...(resolution === 1 ? [] : [`  resolution: ${resolution},`]),
    `  ceiling: ${most === undefined ? 2 : ceilingFor(max, most)},`,
    `  needs: ['service'],`,
    `  probe: (n, context) => request.put(context, { ${changes.join(', ')} }${relation})`
  ]
  const head = values ? `\n/** Each is another value. */\nconst values = ${code(values)}\n` : ''
  return `import { ${words} } from 'plimsoll'
import { request } from './_request.ts'
${head}
export default limit({
${lines.join('\n')}
})
`
}

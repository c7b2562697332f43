import { tally } from './coverage.ts'
import type { Report } from './record.ts'

/**
 * A run as one JSON document: header fields and totals on top, so that a script need not look for
 * them, then every verdict with its evidence. A run that was cut short has `exit: null`.
 */
export function json(report: Report): string {
  return [...jsonParts(report)].join('')
}

/** The same in parts, since the whole may be longer than a text can be. */
export function* jsonParts({ header, footer, ...rest }: Report): Generator<string> {
  const { t: _, ...head } = header
  const { counts, coverage } = tally({ header, footer, ...rest })
  const { exit = null, complete = false, ms = null, remarks } = footer ?? {}
  const totals = { exit, complete, ms, counts, coverage, remarks }
  const fields = Object.entries({ ...head, ...totals, ...rest })
  const told = fields.filter(([, value]) => value !== undefined)
  yield '{\n'
  for (const [place, [name, value]] of told.entries()) {
    yield `${place > 0 ? ',\n' : ''}  ${JSON.stringify(name)}: `
    if (Array.isArray(value) && value.length > 0) yield* listParts(value)
    else yield indented(value, '  ')
  }
  yield '\n}\n'
}

function* listParts(list: readonly unknown[]): Generator<string> {
  for (const [place, item] of list.entries()) {
    yield `${place > 0 ? ',' : '['}\n    ${indented(item, '    ')}`
  }
  yield '\n  ]'
}

function indented(value: unknown, by: string): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${by}`)
}

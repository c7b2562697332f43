import * as v from 'valibot'
import { fieldsOf, typeOf } from './dataset.ts'
import type { Dataset, Fields } from './record.ts'

const stamp = (fraction: string) => (ms: number) =>
  JSON.stringify(new Date(ms).toISOString().replace(/\.(\d+)Z$/, fraction))

/** The decisions by which a record becomes a line of JSON. */
export const output = {
  /** A moment in each format, as JSON; it is given in whole milliseconds since the epoch. */
  moment: {
    unixnano: (ms) => `${BigInt(ms) * 1_000_000n}`,
    unix: (ms) => `${Math.floor(ms / 1_000)}`,
    rfc3339: stamp('Z'),
    rfc3339ms: stamp('.$1Z'),
    rfc3339ns: stamp('.$1000000Z')
  } as Record<string, (ms: number) => string>,
  /** The names of the fields that a line has, of those its dataset has. */
  chosen: (names: readonly string[] | undefined, all: readonly string[]) => names ?? all,
  /** Makes a line harmless to readers with CVE-2021-44228, to whom `${` was an instruction. */
  disarm: (line: string) => line.replaceAll('${', 'x{')
}

/** The shape of `output`. */
export type Output = typeof output

const formats = ['unixnano', 'unix', 'rfc3339', 'rfc3339ms', 'rfc3339ns']

/** What a client says about how records are written; all of it may be left out. */
export const outputOptions = v.object({
  field_names: v.optional(v.pipe(v.array(v.string()), v.minLength(1, 'must name a field'))),
  sample_rate: v.optional(
    v.pipe(v.number(), v.gtValue(0, 'must be above 0'), v.maxValue(1, 'must be 1 at most'))
  ),
  timestamp_format: v.optional(v.picklist(formats, `must be one of ${formats.join(', ')}`)),
  'CVE-2021-44228': v.optional(
    v.union([v.boolean(), v.picklist(['true', 'false'])], 'must be a boolean or its string form')
  )
})

/** How records are written. */
export type OutputOptions = v.InferOutput<typeof outputOptions>

/** A record as the line of JSON that a job delivers, with its line feed. */
export function lineOf(
  rules: Output,
  { dataset, fields, options }: { dataset: Dataset; fields: Fields; options: OutputOptions }
): string {
  const write = rules.moment[options.timestamp_format ?? 'unixnano']!
  const members = rules.chosen(options.field_names, Object.keys(fieldsOf[dataset])).map((name) => {
    const value = fields[name] ?? null
    const isMoment = typeOf(dataset, name) === 'moment' && typeof value === 'number'
    return `${JSON.stringify(name)}:${isMoment ? write(value) : JSON.stringify(value)}`
  })
  const line = `{${members.join(',')}}\n`
  return String(options['CVE-2021-44228']) === 'true' ? rules.disarm(line) : line
}

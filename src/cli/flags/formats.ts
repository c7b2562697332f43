import { type ReporterName, reporterNames } from '../../scenario/config.ts'

/** The name of a format, as `--reporter` takes it. */
export type Format = ReporterName

/** Every format a run can be rendered in, beside its results.ndjson. */
export const formats: readonly Format[] = reporterNames

/** Those that are written where nobody names any; the others are for one CI system each. */
export const usualFormats: readonly Format[] = ['html', 'junit', 'markdown', 'json']

/** Reads a `--reporter` list, such as `junit,markdown`. */
export function asFormats(given: string[]): Format[] {
  const names = given.flatMap((list) => list.split(','))
  for (const name of names) {
    if (formats.some((one) => one === name)) continue
    throw new Error(`--reporter ${name} is not known; there are ${formats.join(', ')}`)
  }
  return names as Format[]
}

/** The flag for the files that a run is rendered to. */
export const reporterFlag = {
  type: 'string',
  array: true,
  default: [...usualFormats] as string[],
  coerce: asFormats,
  describe: `Files to write beside results.ndjson: ${formats.join(', ')}`
} as const

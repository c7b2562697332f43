import * as v from 'valibot'

/** What is wrong with a file, by the first issue that was found with it. */
export type Complaint = (issue: v.BaseIssue<unknown>) => string

/** Whether a text is a day of the calendar, as in 2027-03-31. */
export function isDay(day: string): boolean {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

/** Complains of a field by what it has to be, by its name, and of all of it as `whole` says. */
export function complaintBy(rules: Readonly<Record<string, string>>, whole: string): Complaint {
  return (issue) => {
    const path = v.getDotPath(issue)
    if (path === null) return whole
    if (issue.type === 'strict_object' && issue.expected === 'never') {
      return `${path} is not a known field: remove it`
    }
    const rule = rules[path.split('.').at(-1)!] ?? 'an object with the fields of an entry'
    const isMissing = issue.received === 'undefined'
    return isMissing ? `${path} is missing: add ${rule}` : `${path} must be ${rule}`
  }
}

/** What the JSON says that a person wrote into a file; throws an Error that names file and fix. */
export function parseWritten<Schema extends v.GenericSchema>(
  schema: Schema,
  { text, file, complaint }: { text: string; file: string; complaint: Complaint }
): v.InferOutput<Schema> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new Error(`${file} is not JSON: ${(cause as Error).message}`)
  }
  const result = v.safeParse(schema, json)
  if (result.success) return result.output
  throw new Error(`${file}: ${complaint(result.issues[0])}`)
}

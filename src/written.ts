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

/** Where a text of JSON ends that begins at a place. */
function endOfText(json: string, from: number): number {
  let at = from + 1
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

/**
 * The first key that comes twice in one object of a JSON text, and its line: `JSON.parse` takes the
 * last, where a person, or another program, may read the first. Undefined where none does.
 */
export function keyTwice(json: string): { key: string; line: number } | undefined {
  const open: (Set<string> | undefined)[] = []
  let text: [from: number, to: number] = [0, 0]
  for (let at = 0; at < json.length; at++) {
    const letter = json[at]
    if (letter === '"') {
      text = [at, endOfText(json, at)]
      at = text[1] - 1
    } else if (letter === '{' || letter === '[') open.push(letter === '{' ? new Set() : undefined)
    else if (letter === '}' || letter === ']') open.pop()
    else if (letter === ':') {
      const key = JSON.parse(json.slice(...text)) as string
      if (open.at(-1)!.has(key)) return { key, line: json.slice(0, at).split('\n').length }
      open.at(-1)!.add(key)
    }
  }
  return undefined
}

/** A file of JSON, and how to complain of it. */
export type WrittenFile = {
  text: string
  file: string
  complaint: Complaint
  /** Whether a program wrote it: its keys are not looked at one by one. */
  isMade?: boolean
}

/** What the JSON says that a person wrote into a file; throws an Error that names file and fix. */
export function parseWritten<Schema extends v.GenericSchema>(
  schema: Schema,
  { text, file, complaint, isMade }: WrittenFile
): v.InferOutput<Schema> {
  let json: unknown
  try {
    // Some editors begin a file so, which says nothing.
    json = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new Error(`${file} is not JSON: ${(cause as Error).message}`)
  }
  const twice = isMade ? undefined : keyTwice(text)
  if (twice !== undefined) {
    throw new Error(`${file}:${twice.line}: "${twice.key}" comes twice in one object: keep one`)
  }
  const result = v.safeParse(schema, json)
  if (result.success) return result.output
  throw new Error(`${file}: ${complaint(result.issues[0])}`)
}

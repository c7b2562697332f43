import type { ConstraintSubject, Ends } from './how-asked.ts'
import { innerText, textsAtEnds } from './pattern-ends.ts'
import { formatOf, isGuessed, textFor } from './strings.ts'
import { isGood } from './violated.ts'

/** Texts that stand for themselves wherever a request has texts: in a path, a list, a header. */
const isBare = (text: string) => /^[\p{L}\p{N}_~@:.-]+$/u.test(text) && !/^\.+$/.test(text)

/** Longer ones do not fit everywhere that a text stands in a head. */
const longestInHead = 200

/**
 * Texts at the ends of what the pattern of a value takes, which all else that is said of it takes
 * too. None is empty, or begins or ends with a space: some take that for nothing, or away.
 */
export function endsOf({ at, schema, isText }: ConstraintSubject): Ends | undefined {
  const { pattern, enum: listed, const: fixed, format } = schema.keywords
  if (listed !== undefined || fixed !== undefined || isGuessed(schema)) return
  if (format !== undefined && formatOf(schema) === undefined && format.value !== 'password') return
  const isInHead = isText && !at.startsWith('body')
  const fits = (text: string) =>
    text.length > 0 &&
    text === text.trim() &&
    isGood(text, schema) &&
    (!isText || isBare(text)) &&
    (!isInHead || text.length <= longestInHead)
  const like = [innerText(pattern!.value), textFor(schema)].find(
    (text): text is string => text !== undefined && fits(text)
  )
  if (like === undefined) return
  const taken = textsAtEnds(pattern!.value, (text) => text !== like && fits(text))
  return taken.length > 0 ? { like, taken } : undefined
}

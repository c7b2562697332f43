import type { ConstraintSubject, Ends, HowAsked } from './how-asked.ts'
import { rangeOf } from './numbers.ts'
import { innerText, textsAtEnds } from './pattern-ends.ts'
import { formatOf, isGuessed, ofLength, sizedFor, textFor } from './strings.ts'
import { isAtEnd, isGood, kindOf } from './violated.ts'

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

/** Keywords of which the value that is taken is made up, at the end that they are. */
const ends = ['minLength', 'minItems', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']

/**
 * The same, where the value that was made up at the end counts only beside one that was made up
 * and is at none: a service may know a currency or a team when it sees one.
 */
export function besideOthers(
  keyword: string,
  asked: HowAsked,
  subject: ConstraintSubject
): HowAsked {
  if (asked.form !== 'sides' || asked.accepted.length !== 1 || !ends.includes(keyword)) return asked
  const [end] = asked.accepted
  const like = likeEnd(end, keyword, subject)
  const { sample, schema } = subject
  const known = sample?.value
  const isText = typeof end === 'string' && typeof known === 'string'
  // Of the same length, the document's own text is more of its kind than one that is made up.
  const own = isText && [...known].length === [...end].length ? known : end
  if (like !== undefined) return { ...asked, accepted: [], ends: { like, taken: [own] } }
  if (!isText || known === textFor(schema)) return asked
  // Where there is no other length, the document's own text is the one that is known to be taken.
  if (own === known) return { ...asked, accepted: [known] }
  return { form: 'left', because: "nothing but the document's example is known to be taken" }
}

/** A value that is made up as one at an end is, and is at none. */
function likeEnd(end: unknown, keyword: string, subject: ConstraintSubject): unknown {
  const { schema, sample } = subject
  if (Array.isArray(end)) {
    const most = schema.keywords.maxItems?.value ?? Infinity
    const list: unknown = sample?.value
    return Array.isArray(list) && list.length > end.length && list.length < most ? list : undefined
  }
  const made =
    typeof end === 'number' ? numberBeside(end, keyword, subject) : textLike(end, subject)
  const isInner = made !== undefined && made !== end && !isAtEnd(made, schema)
  return isInner && isGood(made, schema) ? made : undefined
}

/** The number next to an end: farther off, another field may be what it has to be more than. */
function numberBeside(end: number, keyword: string, { schema }: ConstraintSubject): number {
  const isWhole = kindOf(schema) === 'integer'
  const { step, least, most } = rangeOf(schema, isWhole)
  const isStepped = isWhole || schema.keywords.multipleOf !== undefined
  const by = isStepped ? step : Math.min(1, (most - least) / 2)
  return Number((/^(exclusiveM|m)in/.test(keyword) ? end + by : end - by).toPrecision(15))
}

/** A text of the letters of one at an end, as long as the sample where that is at none. */
function textLike(end: unknown, { schema, sample }: ConstraintSubject): string | undefined {
  const known: unknown = sample?.value
  const lengths = [typeof known === 'string' ? [...known].length : 0, [...String(end)].length + 1]
  for (const length of lengths) {
    const sized = sizedFor(schema, length, length)
    if (sized === undefined || length < (sized.least ?? 1)) continue
    const text = ofLength(sized, length)
    if (!isAtEnd(text, schema) && isGood(text, schema)) return text
  }
  return undefined
}

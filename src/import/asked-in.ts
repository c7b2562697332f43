import { type HowAsked, sentAt, takenWhere } from './how-asked.ts'
import { left } from './keywords.ts'
import type { ImportedOperation } from './operations.ts'

/** What is asked about, as far as it can be told where it stands in a request. */
export function askedIn(place: string, operation: ImportedOperation, asked: HowAsked): HowAsked {
  if (asked.form === 'left') return asked
  if (place === 'path') return askedInPath(operation, asked)
  return place === 'header' || place === 'cookie' ? askedInHead(place, asked) : asked
}

type Asked = Exclude<HowAsked, { form: 'left' }>

const reading = ['GET', 'HEAD', 'QUERY']

/**
 * The same of what names a thing in a path, where a number that is taken and names nothing is
 * answered as one that is refused may be: so no line is searched for. Nor is anything changed that
 * happens to have the number.
 */
function askedInPath({ method }: ImportedOperation, asked: Asked): HowAsked {
  const sides =
    asked.form === 'sides'
      ? asked
      : {
          form: 'sides' as const,
          accepted: [sentAt(asked.value, asked.max)],
          refused: [sentAt(asked.value, asked.max + (asked.resolution ?? 1))]
        }
  return takenWhere(sides, () => reading.includes(method))
}

/** Texts that come as they are sent: none is no value, and spaces at their ends are taken off. */
const kept: Record<'header' | 'cookie', RegExp> = {
  header: /^[!-~]([ -~]*[!-~])?$/,
  // A semicolon would end it, and others quote it or divide it.
  cookie: /^[!#-+\--:<-[\]-~]+$/
}

/** Whether a value comes as it is sent at a place in a request. */
export function isKeptIn(place: string, value: unknown): boolean {
  if (place !== 'header' && place !== 'cookie') return true
  if (!Array.isArray(value)) return typeof value !== 'string' || kept[place].test(value)
  return value.length > 0 && value.every((one) => isKeptIn(place, one))
}

/** The same without what does not come as it is sent in a header or a cookie. */
function askedInHead(place: string, asked: Asked): HowAsked {
  const isKept = (value: unknown) => isKeptIn(place, value)
  if (asked.form === 'limit') {
    const isWhole = [asked.max, asked.max + 1].every((n) => isKept(sentAt(asked.value, n)))
    return isWhole ? asked : left(`nothing of that length comes as it is sent in a ${place}`)
  }
  const refused = asked.refused.filter(isKept)
  if (refused.length > 0) return { ...takenWhere(asked, isKept), refused }
  return left(`what would be asked does not come as it is sent in a ${place}`)
}

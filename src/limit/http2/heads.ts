import { encodeFields } from '../../load/http2/header-encoder.ts'
import { entryBytes } from '../../load/http2/header-table.ts'
import { headFrames } from '../../load/http2/request-frames.ts'
import type { Answer } from '../answer.ts'
import type { RequestCounts } from '../count.ts'
import {
  type Fields,
  fieldsOf,
  type Http2Options,
  isOver,
  judged,
  onOne,
  type Usual
} from './asking.ts'

const payloadName = 'x-plimsoll'

/** Bytes of names and values, and 32 for each field, as the setting counts them. */
const listBytes = (fields: Fields) =>
  fields.reduce((sum, [name, value]) => sum + name.length + value.length + entryBytes, 0)

/** Bytes of a list that any field takes of these. */
const shortestField = payloadName.length + 8 + entryBytes

/** Ways to make a list of so many bytes: in one field, or in many of a kilobyte each. */
export const listVariants = ['one long field', 'many fields'] as const

/** Fields beside the others that make a list so long in all. */
function padded(fields: Fields, bytes: number, each: number): Fields {
  const own = [...fields]
  for (let left = bytes - listBytes(fields); left > 0; ) {
    // A rest that is shorter than a field goes with the one before it.
    const size = left < each + shortestField ? left : each
    const name = `${payloadName}-${own.length}`
    own.push([name, 'v'.repeat(Math.max(0, size - name.length - entryBytes))])
    left -= size
  }
  return own
}

/** The fields of a request whose list has so many bytes. */
export function fieldsOfList(bytes: number, variant: string, options: Http2Options): Fields {
  return padded(fieldsOf(options), bytes, variant === 'one long field' ? Infinity : 1_024)
}

/** The fields of a request of so many fields. */
export function fieldsOfCount(count: number, options: Http2Options): Fields {
  const own = fieldsOf(options)
  const more = Array.from({ length: count - own.length }, (_, nth): Fields[number] => {
    return [`${payloadName}-${nth}`, 'v']
  })
  return [...own, ...more]
}

/** The smallest list, and the fewest fields, that can be asked for beyond the usual ones. */
export function leastOf(options: Http2Options): { bytes: number; fields: number } {
  const own = fieldsOf(options)
  return { bytes: listBytes(own) + shortestField, fields: own.length + 1 }
}

/** Everything that targets are known to count of a head. */
export function headCounts(fields: Fields): RequestCounts {
  const sizes = fields.map(([name, value]) => name.length + value.length)
  const longest = fields.reduce((most, one) => (one[1].length > most[1].length ? one : most))
  return {
    'names and values, and 32 for each field': listBytes(fields),
    'all names and values': sizes.reduce((sum, size) => sum + size, 0),
    'header fields': fields.length,
    "the longest field's value": longest[1].length,
    "the longest field's name and value": longest[0].length + longest[1].length,
    'the packed header block': encodeFields(fields).length
  }
}

/** What a request with this head is answered. */
export function askHead(fields: Fields, options: Http2Options, usual: Usual): Promise<Answer> {
  return onOne(options, async (conversation) => {
    conversation.say(headFrames(fields, true, 1))
    const state = conversation.stream(1)
    const isTold = () => state.status > 0 || isOver(state) || conversation.end !== undefined
    await conversation.until(isTold, usual.patienceMs)
    return judged(conversation, 1, { options, usual })
  })
}

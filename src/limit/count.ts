import { type RawRequest, renderHead } from '../client/raw-request.ts'
import type { Address } from '../target/address.ts'

/**
 * What a target may count of a request, in bytes unless the name says otherwise, by what it is
 * called; the likelier first.
 */
export type RequestCounts = Record<string, number>

/** Everything that targets are known to count of a request. */
export function countsOf(question: RawRequest, address: Address): RequestCounts {
  const [line, ...lines] = renderHead(question, address, {}).toString('latin1').split('\r\n')
  const fields = lines.filter((text) => text !== '')
  const target = line!.length - question.method.length - ' HTTP/1.1 '.length
  const lineBytes = fields.reduce((bytes, { length }) => bytes + length, 0)
  const contents = lineBytes - fields.length * ': '.length
  const longest = fields.reduce((most, field) => (field.length > most.length ? field : most))
  const value = longest.slice(longest.indexOf(': ') + 2)
  const head = line!.length + 2 + lineBytes + 2 * fields.length + 2
  const ofConnection = fields.filter((field) => /^connection:/i.test(field))
  const connection = ofConnection.reduce((bytes, { length }) => bytes + length + 2, 0)
  const kept = fields.length - ofConnection.length
  return {
    'the body': question.body?.bytes ?? 0,
    'the request target': target,
    'the request line': line!.length,
    'the request line and its end': line!.length + 2,
    'header fields': fields.length,
    "the longest header's value": value.length,
    "the longest header's name and value": longest.length - 2,
    'the longest header line': longest.length,
    'the longest header line and its end': longest.length + 2,
    'all names and values of headers': contents,
    'all names and values, and 32 for each header': contents + 32 * fields.length,
    'all header lines': lineBytes + 2 * fields.length,
    'the request target and all names and values of headers': target + contents,
    'the whole head': head,
    // As HAProxy does, which keeps names and values by themselves, and none of its connection.
    'the whole head but Connection, and 4 for each header': head - connection + 4 * kept
  }
}

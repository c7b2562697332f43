import type { Clock } from '../clock.ts'
import { type Address, targetOf } from '../target/address.ts'
import { attempt } from './attempt.ts'
import type { Headers } from './headers.ts'
import { headerBytes, type RawRequest, renderHead } from './raw-request.ts'
import type { Reply } from './reply.ts'
import type { Throttle } from './throttle.ts'
import { timeouts } from './timeouts.ts'
import { unsent } from './unsent.ts'

/**
 * How far before the point where it was cut off a second and a third attempt begin to go slowly:
 * more than a connection holds on its way, so that the target cannot have decided before.
 */
const marginsBytes = [32 * 1_048_576, 128 * 1_048_576]

/**
 * Asks a question on a connection of its own. One that is cut off with its body is asked again, up
 * to two times and more slowly, since a refusal may have been lost with the connection. One that
 * was held back is asked once.
 */
export async function send(options: {
  question: RawRequest
  address: Address
  headers: Headers
  timeoutMs: number
  throttle: Throttle
  clock: Clock
}): Promise<Reply> {
  const { question, address, headers, throttle, clock } = options
  const { method, path, body, deadlineMs, beforeLastByte, headPieces } = question
  const { timeoutMs = options.timeoutMs } = question
  const bytes = body?.bytes ?? 0
  const head = renderHead(question, address, headers)
  const url = `${address.origin}${targetOf(address, path)}`
  const attempted = {
    ...{ body, beforeLastByte, headPieces, head },
    host: headers.host ?? address.host,
    address,
    request: { method, url, bodyBytes: bytes, headerBytes: headerBytes(head) },
    timeouts: timeouts({ timeoutMs, deadlineMs, bytes }),
    clock
  }
  const ask = async (paceFrom: number, margins: readonly number[]): Promise<Reply> => {
    if ((await throttle()) === false) return unsent({ address, method, path })
    const { reply, isCut } = await attempt({ ...attempted, paceFrom })
    const [margin, ...others] = margins
    if (!isCut || bytes === 0 || margin === undefined) return reply
    return ask(Math.max(0, Math.min(paceFrom, reply.sent - margin)), others)
  }
  const margins = beforeLastByte ? [] : marginsBytes
  return ask(question.paceFrom ?? Number.POSITIVE_INFINITY, margins)
}

import { cancel, receive, send, sendInTime } from './orders.ts'
import { enter, takeReports } from './reports.ts'
import type { Ring } from './ring.ts'
import { Unavailable } from './system.ts'

const [receiveTag, sendTag, cancelTag] = [1, 2, 3]
const canceled = -125
const limitMs = 200
const text = 'GET / HTTP/1.1\r\n\r\n'

/**
 * Tries on a pair of sockets all that streams need of a ring: what is sent arrives whole, more than
 * once by one order, and an order can be taken back. Throws an `Unavailable` where it is otherwise.
 */
export function testRing(ring: Ring): void {
  const { system } = ring
  const [here, there] = system.pair()
  try {
    const heard = hear(ring)
    receive(ring, here, receiveTag)
    for (const round of ['once', 'again']) {
      send(ring, there, Buffer.from(text + round), sendTag)
      insist(
        heard(() => heard.text === text + round),
        'what was sent did not arrive'
      )
    }
    const rest = Buffer.from('rest')
    sendInTime(ring, there, rest, sendTag)
    insist(
      heard(() => heard.text === 'rest'),
      'what was sent later did not arrive'
    )
    cancel(ring, receiveTag, cancelTag)
    insist(
      heard(() => heard.ended === canceled),
      'an order could not be taken back'
    )
  } finally {
    system.close(here)
    system.close(there)
  }
}

/** Has the ring work until something holds, and says whether it came to that. */
function hear(ring: Ring) {
  const heard = (holds: () => boolean): boolean => {
    heard.text = ''
    const until = performance.now() + limitMs
    do {
      enter(ring, 1, 10)
      takeReports(ring, (tag, result, from, isMore) => {
        if (tag !== receiveTag) return
        if (from >= 0) heard.text += ring.arrivals.toString('latin1', from, from + result)
        if (!isMore) heard.ended = result
      })
    } while (!holds() && performance.now() < until)
    return holds()
  }
  heard.text = ''
  heard.ended = 0
  return heard
}

function insist(holds: boolean, otherwise: string): void {
  if (!holds) throw new Unavailable(`io_uring fails its self-test: ${otherwise}`)
}

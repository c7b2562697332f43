import { isAnswered, type Reply } from '../../client/reply.ts'
import type { Boundary } from '../boundary.ts'
import { formOf } from '../form.ts'
import type { RateLimit } from '../rate-limit.ts'

/** Which of a front and the origin behind it draws a line, and what shows it. */
export type Layer = { by: 'front' | 'origin' | 'unclear'; because: string }

/** Where one of the two draws the line when it is asked itself, and what it says past it. */
export type Drawn = Pick<Boundary, 'kind' | 'accepted' | 'rejected'> & { refusal?: Reply }

/** By how much a front may change what it sends on: headers of its own, others left out. */
const changedBytes = 1_024

/** What a front says when its origin ended the connection, or said what is no answer. */
const ofNoAnswer: readonly number[] = [502, 503, 504]

/**
 * Which layer draws the line of a size that was found at the front: whose refusal it is, and where
 * the origin draws one itself. Undefined where the front shows none.
 */
export function layerOfSize(front: Drawn, origin: Drawn): Layer | undefined {
  if (front.kind !== 'found') return
  const past = front.rejected!
  if (origin.kind === 'unlimited' && origin.accepted! >= past) {
    return { by: 'front', because: `the origin takes ${number(origin.accepted!)}` }
  }
  if (origin.kind !== 'found') {
    return { by: 'unclear', because: 'where the origin draws it did not become clear' }
  }
  const own = origin.rejected!
  const apart = own - past
  const isNear = Math.abs(apart) <= changedBytes
  const same = isSame(front.refusal, origin.refusal)
  if (isNear && same !== false) {
    const where = apart === 0 ? 'there as well' : `at ${number(own)}`
    const how = same ? 'with the same answer' : 'and the front says that it had none'
    return { by: 'origin', because: `asked itself, it refuses ${where}, ${how}` }
  }
  if (apart > 0 || isNear) {
    return {
      by: 'front',
      because: `the origin refuses from ${number(own)} on, with another answer`
    }
  }
  const because = `the origin itself refuses from ${number(own)} on: the front changes requests`
  return { by: 'unclear', because }
}

/** Whether a refusal is the other's, passed on; undefined where a front stands in for no answer. */
function isSame(front?: Reply, origin?: Reply): boolean | undefined {
  if (front === undefined || origin === undefined) return false
  if (!isAnswered(front)) return front.kind === origin.kind
  if (!isAnswered(origin)) return ofNoAnswer.includes(front.status) ? undefined : false
  return front.status === origin.status && formOf(front) === formOf(origin)
}

/** By how much the numbers of two that are the same may differ. */
const alike = 0.05

/** Which layer limits a rate, or how many at once, by what each of them allows. */
export function layerOfRate(front: RateLimit, origin: RateLimit): Layer | undefined {
  if (front.algorithm === 'none' || front.algorithm === 'unclear') return
  if (origin.algorithm === 'none') return { by: 'front', because: 'the origin itself shows none' }
  if (origin.algorithm === 'unclear') {
    return { by: 'unclear', because: `the origin: ${origin.because}` }
  }
  const isEqual = (one = 0, other = 0) => Math.abs(one - other) <= alike * Math.max(one, other)
  const isOne =
    front.algorithm === origin.algorithm &&
    front.burst === origin.burst &&
    isEqual(front.perSecond, origin.perSecond) &&
    front.status === origin.status
  if (isOne) return { by: 'origin', because: 'asked itself, it limits in the same way' }
  return { by: 'front', because: `the origin's own differs: ${origin.because}` }
}

function number(value: number): string {
  return value.toLocaleString('en')
}

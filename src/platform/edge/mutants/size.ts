import { send } from '../../kernel/http/answer.ts'
import type { Override } from '../../kernel/override.ts'
import { page } from '../page.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { EdgeRules } from '../rules.ts'

/** A request-size limit as its mutants see it. */
export type Size = {
  /** What the names of its mutants begin with. */
  name: string
  clause: string
  /** Clauses that say how it is refused, and fall with who says nothing. */
  refusals?: readonly string[]
  /** What is limited, in words: `a URL`. */
  words: string
  /** The smallest and the largest number the document can mean. */
  readings: [smallest: number, largest: number]
  /** Puts another number in its place. */
  limited(bytes: number): Override<EdgeRules>
  /** Whether a refusal is about this limit. */
  isAbout(refusal: Refusal): boolean
}

/** Other treatment of the requests a limit turns away. */
export function treated(isAbout: Size['isAbout'], treat: EdgeRules['refuse']): Override<EdgeRules> {
  return {
    refuse: (response, refusal) =>
      isAbout(refusal) ? treat(response, refusal) : refuse(response, refusal)
  }
}

/** Turns requests away with another status than the document asks for. */
export function withStatus(status: number): EdgeRules['refuse'] {
  return (response) => send(response, { ...page(status, 'No.'), headers: { Connection: 'close' } })
}

/** What can be wrong with any limit: its number, or what happens beyond it. */
export function sizeMutants(size: Size) {
  const { name, clause, refusals = [], words, readings, limited, isAbout } = size
  const [smallest, largest] = readings.map((bytes) => bytes.toLocaleString('en'))
  return [
    {
      name: `${name}-limit-too-low`,
      clause,
      description: `Refuses ${words} of ${smallest} bytes, which every reading allows.`,
      change: limited(readings[0] - 1)
    },
    {
      name: `${name}-limit-too-high`,
      clause,
      description: `Accepts ${words} one byte larger than ${largest}, which no reading allows.`,
      change: limited(readings[1] + 1)
    },
    {
      name: `${name}-unlimited`,
      clause,
      description: `Accepts ${words} of any size.`,
      change: limited(Infinity)
    },
    {
      name: `${name}-closed-without-answer`,
      clause,
      besides: refusals,
      description: `Closes the connection on ${words} that is too large, and says nothing.`,
      change: treated(isAbout, (response) => void response.destroy())
    }
  ]
}

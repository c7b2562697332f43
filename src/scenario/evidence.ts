import type { Reply } from '../client/reply.ts'
import { isServed } from './redirects.ts'
import type { Look } from './summary.ts'
import { isRefusal } from './turned-down.ts'

/** Whether an operation failed at a value. */
export const isDefect = ({ status }: Reply): boolean => status === 500 || status === 501

/** Whether a value was taken, or turned down; undefined where the reply says neither. */
export function taken(reply: Reply): boolean | undefined {
  if (isServed(reply)) return true
  // An operation that fails at a value has not turned it down, and has not served it either.
  if (isDefect(reply)) return undefined
  return isRefusal(reply) ? false : undefined
}

/**
 * Whether a value was taken at a place. What names nothing that is there is not refused for what it
 * is, and is not taken either: of an id that is none, "there is none" is as good an answer as any.
 */
export function takenAt(at: string, reply: Reply, expected: boolean): boolean | undefined {
  return at.startsWith('path') && isGone(reply) ? expected : taken(reply)
}

/** Whether a reply says that there is no such thing. */
export const isGone = ({ status }: Reply) => status === 404 || status === 410

/** What came of a value that should be taken, or should not. */
export type AskedLook = Look & { expected: boolean }

/**
 * What is evidence of what was seen: of a value in a path "there is none" is as good an answer as
 * any, unless the document lists what is there, and some of it is served. None where nothing is
 * that tells a value which should be refused from others.
 */
export function evidenceIn(
  { at, refused = [], isListed }: { at: string; refused?: readonly unknown[]; isListed?: boolean },
  looks: readonly AskedLook[]
): AskedLook[] {
  const isKnown = isListed && looks.some(({ reply }) => isServed(reply))
  if (!at.startsWith('path') || isKnown) return [...looks]
  const told = looks.filter(({ holds, reply }) => !holds || !isGone(reply))
  const isTold = refused.length === 0 || told.some(({ expected, holds }) => !expected || !holds)
  return isTold ? told : []
}

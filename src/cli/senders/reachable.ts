import { hostname } from 'node:os'
import { isLoopback } from '../../route.ts'
import { Failure } from '../failure.ts'
import type { Sides } from '../targets/arms.ts'

/**
 * Ends a comparison whose commands are started here while an agent of another machine asks: a
 * loopback address is that machine's own there, where nothing was started. Agents of this machine
 * reach it. Throws a `Failure`.
 */
export function insistOnReach(
  sides: Sides,
  agents: readonly { id: string }[],
  here = hostname()
): void {
  // An agent is named by its host and its process.
  const elsewhere = agents.find(({ id }) => id.slice(0, id.lastIndexOf('-')) !== here)
  if (elsewhere === undefined) return
  for (const [arm, { url, command, route }] of Object.entries(sides)) {
    if (command === undefined || !route?.addresses.every(isLoopback)) continue
    throw new Failure(
      `--${arm}-cmd starts on this machine, and the agent ${elsewhere.id} asks ${url} of ` +
        `its own: give --${arm} an address of this machine that agents reach`
    )
  }
}

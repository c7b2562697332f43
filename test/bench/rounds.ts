import type { Peer, Setting, Stretch } from './peers.ts'
import { spreadOf, spreadText } from './spread.ts'

/** Which of the clients are ours, how often each is measured, and what is aimed at. */
type Comparing = {
  ours: readonly string[]
  rounds: number
  goals: Record<string, Record<string, number> | undefined>
}

const cpuUs = ({ requests, cpuMs }: Stretch) => (cpuMs * 1_000) / requests
const rate = ({ requests, seconds }: Stretch) => requests / seconds

/**
 * Has all clients load the same server in turn, round after round, and prints what a request costs
 * each of them; `goals` is requests per processor second of each of ours as a multiple of theirs.
 */
export async function compareClients(
  setting: Setting,
  { present, absent }: { present: readonly Peer[]; absent: readonly string[] },
  { ours, rounds, goals }: Comparing
): Promise<void> {
  const { connections, pipelining, seconds } = setting
  const stretches = new Map<Peer, Stretch[]>(present.map((peer) => [peer, []]))
  for (let round = 0; round < rounds; round++) {
    // Whoever comes first would otherwise always meet the same weather.
    const order = [
      ...present.slice(round % present.length),
      ...present.slice(0, round % present.length)
    ]
    for (const peer of order) stretches.get(peer)!.push(await peer.measure(setting))
  }
  console.log(
    `\n${connections} connections, ${pipelining} in flight on each, ${rounds} × ${seconds} s each`
  )
  console.log(
    `${'client'.padEnd(12)}${'CPU µs a request'.padEnd(23)}${'requests/s'.padEnd(27)}` +
      'requests per CPU second, each of ours ÷ client'
  )
  for (const [{ name }, theirs] of stretches) {
    const against = ours.map((our) => {
      const mine = stretches.get(present.find((peer) => peer.name === our)!)!
      const ratios = spreadOf(mine.map((one, round) => cpuUs(theirs[round]!) / cpuUs(one)))
      const goal = goals[our]?.[name]
      const isMet = goal !== undefined && ratios.median >= goal
      const met = goal === undefined ? '' : ` goal ${goal} ${isMet ? 'met' : 'missed'}`
      return `${our} ${spreadText(ratios, 2)}${met}`
    })
    console.log(
      name.padEnd(12) +
        spreadText(spreadOf(theirs.map(cpuUs)), 2).padEnd(23) +
        spreadText(spreadOf(theirs.map(rate)), 0).padEnd(27) +
        against.join(', ')
    )
  }
  if (absent.length > 0) console.log(`not installed: ${absent.join(', ')}`)
}

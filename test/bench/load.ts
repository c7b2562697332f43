// How much processor time a request costs, beside other load generators: all against one nginx,
// one after the other within each round, client and server on a core each.
import { machine } from './machine.ts'
import { startNginx } from './nginx.ts'
import { ours, type Peer, peers, type Setting, type Stretch } from './peers.ts'
import { spreadOf, spreadText } from './spread.ts'

const connections = 50
const [rounds, seconds] = [Number(process.argv[2] ?? 7), Number(process.argv[3] ?? 3)]

/**
 * What the project sets itself: requests per processor second, as a multiple of the peer's, by how
 * many are in flight on each connection.
 */
const goals: Record<(typeof ours)[number], Record<number, Record<string, number>>> = {
  uring: { 1: { wrk: 1.1, autocannon: 2.3, hey: 2 }, 16: { wrk: 1, autocannon: 1.4 } },
  wire: { 1: { wrk: 0.9, autocannon: 1.6, hey: 2 }, 16: { autocannon: 1.4 } }
}

const cpuUs = ({ requests, cpuMs }: Stretch) => (cpuMs * 1_000) / requests
const rate = ({ requests, seconds }: Stretch) => requests / seconds

async function compare(setting: Setting): Promise<void> {
  const { present, absent } = peers(setting.pipelining)
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
    `\n${connections} connections, pipelining ${setting.pipelining}, ${rounds} × ${seconds} s each`
  )
  console.log(
    `${'client'.padEnd(12)}${'CPU µs a request'.padEnd(23)}${'requests/s'.padEnd(27)}` +
      'requests per CPU second, each of ours ÷ client'
  )
  for (const [{ name }, theirs] of stretches) {
    const against = ours.map((our) => {
      const mine = stretches.get(present.find((peer) => peer.name === our)!)!
      const ratios = spreadOf(mine.map((one, round) => cpuUs(theirs[round]!) / cpuUs(one)))
      const goal = goals[our][setting.pipelining]?.[name]
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

console.log(machine())
const { url, stop } = await startNginx()
try {
  for (const pipelining of [1, 16]) await compare({ url, connections, pipelining, seconds })
} finally {
  await stop()
}

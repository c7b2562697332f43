// One comparison of the corpus, in a process of its own as a user's is: takes a task and its terms
// as JSON and prints what came of it as JSON. It ends with its standard input.
import { loadavg } from 'node:os'
import { carryOut } from '../../src/cli/commands/comparison.ts'
import type { PairFlags } from '../../src/cli/flags/compare-flags.ts'
import { clock } from '../../src/clock.ts'
import { createDeadline, stopAt } from '../../src/engine/deadline.ts'
import type { LoadWorkers } from '../../src/engine/load-worker.ts'
import { createSenderThreads } from '../../src/engine/sender-threads.ts'
import { createStop } from '../../src/engine/stop.ts'
import type { Line, Task, Terms } from './corpus-line.ts'
import { peerVerdicts } from './corpus-peers.ts'
import { corpusSides } from './corpus-side.ts'
import { startFleet } from './local-fleet.ts'
import { machine } from './machine.ts'

// Who asked is gone: what was started ends with this process.
process.stdin.resume().on('end', () => process.exit(130))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))

/** Who sends it: a thread of this process, or so many others that meet at a Redis. */
async function workersOf(agents: number): Promise<LoadWorkers & { close(): Promise<void> }> {
  return agents === 0 ? createSenderThreads(1) : startFleet(agents)
}

async function compared({ peers: peerSeconds, ...asked }: Task & Terms): Promise<Line> {
  const { server, planted, seed, time, budget, connections } = asked
  // Those of a fleet take ports, and the servers take others.
  const workers = await workersOf(asked.agents)
  const { sides, header, close } = await corpusSides(server, planted)
  const flags: PairFlags = {
    ...{ connections, pipelining: 1, workers: 1, timeout: 10, method: 'GET', insecure: false },
    ...{ header, transport: 'http1', open: false, metric: [{ metric: 'p50' }], seed, time, budget },
    ...{ pin: true, authorisation: '', json: false }
  }
  const load = loadavg()[0]!
  const at = new Date().toISOString()
  const began = performance.now()
  const deadline = createDeadline(time, { clock })
  const stop = createStop()
  const letGo = stopAt(deadline, stop)
  try {
    const { conclusion, ended, because, plan, repeated } = await carryOut({
      ...{ sides, flags, workers, deadline, stop },
      onProgress() {}
    })
    const seconds = Math.round((performance.now() - began) / 1_000)
    const loadAfter = loadavg()[0]!
    const given = { budget: budget / 100, seconds: peerSeconds, header }
    const peers = peerSeconds > 0 && { peers: await peerVerdicts(sides, given) }
    const found = conclusion && { ratio: conclusion.ratio, interval: conclusion.interval }
    const { worse } = conclusion ?? {}
    const planned = plan && { resolvable: plan.resolvable, neededSeconds: plan.neededSeconds }
    return {
      ...asked,
      ...{ verdict: ended === 'decided' ? conclusion!.verdict : ended, because },
      ...{ ...found, ...planned, blocks: conclusion?.blocks, worse: worse?.metric, repeated },
      ...{ seconds, load, loadAfter, ...peers, at, machine: machine() }
    }
  } finally {
    letGo()
    await workers.close()
    close()
  }
}

const line = await compared(JSON.parse(process.argv[2]!))
process.stdout.write(JSON.stringify(line), () => process.exit(0))

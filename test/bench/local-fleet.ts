import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { version } from '../../src/cli/version.ts'
import { openFleet } from '../../src/fleet/dispatch.ts'
import { freePorts } from '../free-ports.ts'

const launcher = resolve(import.meta.dirname, '../../src/launch.js')

/** A Redis of its own and so many agents of a thread each, all on this machine. */
export async function startAgents(count: number): Promise<{ redisUrl: string; stop: () => void }> {
  const port = await freePorts(1)
  const redisUrl = `redis://127.0.0.1:${port}`
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const redis = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(redis.stdout, 'data')
  const agents = Array.from({ length: count }, () => {
    const args = [launcher, 'agent', '--redis', redisUrl, '-w', '1', '--json']
    return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  })
  const stop = () => {
    for (const child of [...agents, redis]) child.kill('SIGKILL')
  }
  process.once('exit', stop)
  await Promise.all(agents.map(({ stdout }) => once(stdout, 'data')))
  return { redisUrl, stop }
}

/** Such agents as whoever sends loads. */
export async function startFleet(count: number) {
  const { redisUrl, stop } = await startAgents(count)
  const signal = new AbortController().signal
  const wanted = { least: count, waitMs: 30_000, version, signal, onWaiting() {} }
  const fleet = await openFleet(redisUrl, wanted)
  const close = async () => {
    await fleet.close()
    stop()
  }
  return { ...fleet, close }
}

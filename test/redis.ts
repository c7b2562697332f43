import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { freePorts } from './free-ports.ts'

/** Whether this machine has a Redis to start. */
export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0
}

/** A Redis of the test's own, which keeps nothing; it ends with the test. */
export async function startRedis(): Promise<{ url: string; end: () => Promise<unknown> }> {
  const port = await freePorts(1)
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const end = () => {
    child.kill('SIGKILL')
    return ended
  }
  onTestFinished(async () => void (await end()))
  let said = ''
  child.stdout.setEncoding('utf8')
  await new Promise<void>((resolve, reject) => {
    child.on('exit', () => reject(new Error(`redis-server ended: ${said}`)))
    child.stdout.on('data', (text) => {
      said += text
      if (said.includes('Ready to accept connections')) resolve()
    })
  })
  return { url: `redis://127.0.0.1:${port}`, end }
}

import { type ChildProcess, spawn } from 'node:child_process'

const spinning = `
  const spin = () => { const end = Date.now() + 50; while (Date.now() < end); setImmediate(spin) }
  process.stdin.resume().on('end', () => process.exit())
  spin()`

/** A process that keeps a core busy, and ends with this one, however that ends. */
export function spinner(): ChildProcess {
  return spawn(process.execPath, ['-e', spinning], { stdio: ['pipe', 'ignore', 'ignore'] })
}

import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, release } from 'node:os'

/** Whether a program can be found on this machine. */
export function has(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** What the measurements were made on, in a line. */
export function machine(): string {
  const cores = cpus()
  return `${cores[0]?.model} × ${cores.length}, Linux ${release()}, Node ${process.version}`
}

/**
 * The command that runs another one on one core only, where the machine has that and more cores.
 */
export function pinned(core: number, command: string[]): string[] {
  return has('taskset') && cpus().length > 1 ? ['taskset', '-c', `${core}`, ...command] : command
}

/**
 * Processor time of all children that have ended, in milliseconds; the kernel counts in hundredths.
 */
function childrenCpuMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}

/**
 * Runs a command to its end, which is to be one of these exit codes: what it printed, and how much
 * processor time it took.
 */
export async function run(
  command: string[],
  codes = [0]
): Promise<{ output: string; cpuMs: number }> {
  const before = childrenCpuMs()
  const [program, ...args] = command as [string, ...string[]]
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  if (code === null || !codes.includes(code))
    throw new Error(`${command.join(' ')} ended with ${code}\n${output}`)
  return { output, cpuMs: childrenCpuMs() - before }
}

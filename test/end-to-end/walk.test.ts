import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { freePorts } from '../free-ports.ts'
import { start } from './plimsoll.ts'

/** A curl that knows how to send JSON. */
const hasCurl = spawnSync('curl', ['--json', '{}', '--version']).status === 0

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'walk-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts a platform for one test, and returns the lines it prints for a shell. */
async function exportsOf(...flags: string[]): Promise<string> {
  const { child, ended, stdout } = start(['platform', '--port', '0', ...flags], { cwd: folder })
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  await expect.poll(stdout, { timeout: 30_000 }).toContain('Nothing is kept')
  const lines = stdout().split('\n')
  return lines.filter((line) => line.startsWith('  export ')).join('\n')
}

type Step = { command: string; shown: string }

/** The steps of a README: what is typed, and after `# ` what is shown then. */
function stepsOf(file: string, heading: string, port: number): Step[] {
  const text = readFileSync(join(root, file), 'utf8').replaceAll('9000', `${port}`)
  const [, section] = new RegExp(`\n## ${heading}\n([^]*?)\n## `).exec(text)!
  const blocks = [...section!.matchAll(/```sh\n(.*?)```/gs)].map(([, code]) => code!)
  return [...blocks.join('').matchAll(/(.*?)^# ([^\n]*)\n/gms)].map(([, command, shown]) => ({
    command: command!,
    shown: shown!
  }))
}

/** What is shown, as a pattern: `…` is anything, and `<name>` a word that is known from then on. */
function patternOf(shown: string): RegExp {
  const plain = shown.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const seen = new Set<string>()
  const pattern = plain.replaceAll('…', '[^]*').replace(/<(\w+)>/g, (_, name) => {
    if (seen.has(name)) return `\\k<${name}>`
    seen.add(name)
    return `(?<${name}>[\\w-]+)`
  })
  return new RegExp(`^${pattern}\\s*$`)
}

/** A shell that stays; what each command writes. */
function shell() {
  const child = spawn('bash', [], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  let written = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    written += text
  })
  const end = '--- that was all ---'
  return {
    async run(command: string): Promise<string> {
      written = ''
      child.stdin.write(`${command}\necho '${end}'\n`)
      await expect.poll(() => written, { timeout: 120_000 }).toContain(`${end}\n`)
      return written.replace(`${end}\n`, '')
    },
    close: () => child.stdin.end('kill $(jobs -p) 2>/dev/null; exit\n')
  }
}

test.skipIf(!hasCurl).each([
  ['src/platform/README.md', 'An afternoon with it', 8],
  ['src/platform/functions/README.md', 'A function in five requests', 5]
])(
  '%s: %s, as it is written',
  async (file, heading, count) => {
    const port = await freePorts(1)
    const steps = stepsOf(file, heading, port)
    expect(steps).toHaveLength(count)
    const { run, close } = shell()
    try {
      await run(await exportsOf('--log-files', './logs', '--allow-egress', `127.0.0.1:${port}`))
      const known: Record<string, string> = {}
      const filled = (text: string) => text.replace(/<(\w+)>/g, (name, word) => known[word] ?? name)
      for (const { command, shown } of steps) {
        const typed = filled(command)
        const pattern = patternOf(filled(shown))
        // Looking again is what anybody does to whom a file shows nothing yet.
        const look = () => run(typed)
        if (/^z?cat /.test(typed)) await expect.poll(look, { timeout: 30_000 }).toMatch(pattern)
        else {
          const output = await look()
          expect(output, typed).toMatch(pattern)
          Object.assign(known, pattern.exec(output)!.groups)
        }
      }
    } finally {
      close()
    }
  },
  180_000
)

test('a platform that runs already is a target by the file that is shown', async () => {
  const text = readFileSync(join(root, 'scenarios/README.md'), 'utf8')
  const [, shown] = /`platform\.json`.*?```json\n(.*?)```/s.exec(text)!
  const file = join(folder, 'platform.json')
  writeFileSync(file, shown!.replace('./scenarios', join(root, 'scenarios')))
  const { run, close } = shell()
  try {
    await run(await exportsOf('--allow-egress', '127.0.0.1:*'))
    const plimsoll = `${process.execPath} ${join(root, 'src/launch.js')}`
    const ids = 'lists/status log-push/delivers-records functions/routes'
    const output = await run(`${plimsoll} run ${ids} --target platform.json --out out; echo $?`)
    expect(output).toMatch(/clauses? holds?.*\n0\n$/s)
  } finally {
    close()
  }
}, 180_000)

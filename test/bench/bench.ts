// Every measurement of the project, one after the other, each in its own process: `npm run bench`.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'))
const names = Object.keys(scripts).filter((name) => name.startsWith('bench:'))

/** The long ones in their short form. */
const shortly: Record<string, string[]> = {
  'bench:memory': ['1'],
  'bench:verdicts': ['--short']
}

for (const name of names) {
  console.log(`\n── ${name}`)
  const script = scripts[name].replace(/^node /, '')
  const { status } = spawnSync(process.execPath, [script, ...(shortly[name] ?? [])], {
    cwd: root,
    stdio: 'inherit'
  })
  if (status !== 0) process.exitCode = 1
}

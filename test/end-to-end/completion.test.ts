import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { plimsoll, start } from './plimsoll.ts'

const asked = async (...words: string[]) => {
  const { stdout } = await plimsoll('--get-yargs-completions', 'plimsoll', ...words)
  return stdout.trim().split('\n')
}

test('scenarios are completed, those of a folder that is named too', async () => {
  expect(await asked('run', 'edge/url')).toEqual(['edge/url-length'])
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-complete-'))
  writeFileSync(join(folder, 'clauses.json'), '[]')
  writeFileSync(join(folder, 'one.ts'), '')
  expect(await asked('list', '--scenarios', folder, '')).toEqual(['one'])
  expect(await asked('list', '--scenarios', '/nowhere', '')).toEqual([''])
})

test('a saved run is completed where there is one', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'plimsoll-complete-'))
  mkdirSync(join(cwd, 'reports', 'monday'), { recursive: true })
  writeFileSync(join(cwd, 'reports', 'monday', 'results.ndjson'), '')
  const words = ['--get-yargs-completions', 'plimsoll', 'report', 'm']
  expect((await start(words, { cwd }).ended).stdout).toBe('monday\n')
})

test('commands, the flags of one, and their choices are completed', async () => {
  expect(await asked('ca')).toEqual(expect.arrayContaining(['capacity', 'calibrate']))
  const flags = await asked('compare', '--me')
  expect(flags).toContain('--metric')
  expect(flags).not.toContain('--reporter')
  expect(await asked('compare', '--metric', 'p')).toEqual(['p50', 'p90', 'p99'])
})

test('a shell that has read the script completes by it', async () => {
  const { stdout: script } = await plimsoll('completion')
  expect(script).toContain('complete -o bashdefault -o default -F _plimsoll_yargs_completions')
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-complete-'))
  const launcher = resolve(import.meta.dirname, '../../src/launch.js')
  const body = `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`
  writeFileSync(join(folder, 'plimsoll'), body, { mode: 0o755 })
  const ask = `${script}
COMP_WORDS=(plimsoll run edge/url); COMP_CWORD=2; _plimsoll_yargs_completions
echo "\${COMPREPLY[@]}"`
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` }
  const { stdout } = spawnSync('bash', ['-c', ask], { encoding: 'utf8', env })
  expect(stdout.trim()).toBe('edge/url-length')
}, 30_000)

test('help lists commands by what they are for, and the flags of one too', async () => {
  const { stdout } = await plimsoll('--help')
  expect(stdout).toMatch(
    /Prove what a document states:\n *init .*\n *run .*[\s\S]*Measure:\n *load /
  )
  expect(stdout).not.toContain('Commands:')
  const load = (await plimsoll('load', '--help')).stdout
  expect(load).toMatch(/What is sent:\n[\s\S]*--body[\s\S]*Over TLS:\n +--cacert/)
  expect(load.match(/-b, --body/g)).toHaveLength(1)
})

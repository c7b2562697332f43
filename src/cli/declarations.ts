import { execFileSync } from 'node:child_process'
import { globSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

// Part of the build, and of no command: the compiler declares all that the doors import, half of
// which their own declarations lead nobody to. What is left is what the compiler itself reads.
const [, , folder] = process.argv
const doors = ['plimsoll.d.ts', 'vitest.d.ts'].map((name) => join(folder!, name))
const tsc = resolve(import.meta.dirname, '../../node_modules/.bin/tsc')
const options = ['--ignoreConfig', '--module', 'nodenext', '--types', '', '--listFilesOnly']
const read = execFileSync(tsc, [...options, ...doors], { encoding: 'utf8' }).split('\n')
if (!doors.every((door) => read.includes(resolve(door)))) throw new Error(read.join('\n'))
for (const name of globSync(join(folder!, '**/*.d.ts')))
  if (!read.includes(resolve(name))) rmSync(name)

// Sets the commands upon hostile servers, and upon an honest one in a hostile machine; exit 1 when
// anything is out of order. The table goes into hostile/README.md unless a name chooses some lines;
// Ctrl-C ends it early, with the lines that are whole by then, in no order that says anything.
// `node hostile.ts [beginning of a behaviour's name] [beginning of a command's name]`
import { readFileSync, writeFileSync } from 'node:fs'
import { random } from '../../src/random.ts'
import { flagsOf } from '../usage.ts'
import { behaviours, honest } from './hostile/behaviours.ts'
import { commands, mostBytes } from './hostile/command.ts'
import { writeDocument } from './hostile/document.ts'
import { adversities } from './hostile/settings.ts'
import { tableOf } from './hostile/table.ts'
import { type Fate, trial } from './hostile/trial.ts'
import { machine } from './machine.ts'

/** Most of them wait most of the time. */
const atOnce = 4

const { positionals } = flagsOf(import.meta.url, { allowPositionals: true })
const [rowName = '', commandName = ''] = positionals
const document = writeDocument()
const isWanted = ({ name }: { name: string }) => name.startsWith(rowName)
const asked = commands.filter(({ name }) => name.startsWith(commandName))
const servers = behaviours.filter(isWanted)
const states = adversities.filter(isWanted)

type Task = { row: string; measure: () => Promise<Fate> }

const chance = random(1, 'hostile')
const tasks: Task[] = [
  ...states.flatMap(({ name: row, setting }) =>
    asked.flatMap((command) => {
      const own = setting(command)
      const measure = () => trial({ ...honest, name: row }, command, document, own)
      return own ? [{ row, measure }] : []
    })
  ),
  ...shuffled(servers).flatMap((behaviour) =>
    asked.map((command) => {
      return { row: behaviour.name, measure: () => trial(behaviour, command, document) }
    })
  )
]

function shuffled<Thing>(things: readonly Thing[]): Thing[] {
  const placed = things.map((thing) => ({ thing, place: chance() }))
  return placed.sort((one, other) => one.place - other.place).map(({ thing }) => thing)
}

function tell(fate: Fate): void {
  const { behaviour, command, code, seconds, peakBytes, wrong, output } = fate
  const figures = `exit ${code}, ${seconds.toFixed(1)} s, ${Math.round(peakBytes / 1e6)} MB`
  console.log(`${wrong.length > 0 ? '✘' : '✔'} ${behaviour} × ${command}: ${figures}`)
  if (wrong.length === 0) return
  const lines = output.trim().split('\n').slice(0, 20)
  console.log(`    ${wrong.join('; ')}\n${lines.map((line) => `    | ${line}`).join('\n')}`)
}

const began = performance.now()
const fates: Fate[] = []
const left = [...tasks]
process.once('SIGINT', () => {
  left.length = 0
})
const take = async () => {
  for (let next = left.shift(); next; next = left.shift()) {
    const fate = await next.measure()
    fates.push(fate)
    tell(fate)
  }
}
await Promise.all(Array.from({ length: atOnce }, take))

const columns = asked.map(({ name }) => name)
const countOf = (row: string, of: readonly { row: string }[]) =>
  of.filter((one) => one.row === row).length
const measured = fates.map(({ behaviour }) => ({ row: behaviour }))
const isWhole = (row: string) => countOf(row, measured) === countOf(row, tasks)
const rows = (of: readonly { name: string }[], first: string) => {
  const names = of.map(({ name }) => name).filter(isWhole)
  return names.length > 0 ? tableOf(fates, { rows: names, commands: columns, first }) : ''
}
const failed = fates.filter(({ wrong }) => wrong.length > 0).length
const minutes = ((performance.now() - began) / 60_000).toFixed(0)
const given = asked.map(({ name, seconds }) => `${name} ${seconds} s`).join(', ')
const told = `${rows(servers, 'a server that gives')}
${rows(states, 'a machine with')}
${fates.length} of ${tasks.length} trials in ${minutes} minutes, ${failed} out of order.
Time given: ${given}.
Memory is the most that any of the commands had, all its processes together;
${Math.round(mostBytes / 1e6)} MB are allowed. ${machine()}.
`
console.log(`\n${told}`)
if (rowName === '' && commandName === '') {
  const file = new URL('hostile/README.md', import.meta.url)
  const mark = '<!-- measured -->\n'
  const [text] = readFileSync(file, 'utf8').split(mark)
  writeFileSync(file, `${text}${mark}\n${told}`)
}
process.exitCode = failed > 0 ? 1 : 0

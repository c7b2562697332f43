import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { limited, signedIn } from './credential.ts'
import { inlined, type Tree } from './inlined.ts'
import { type Generated, type Move, moved, movesOf } from './off-by-one.ts'
import { type Make, serving } from './served.ts'

const launcher = resolve(import.meta.dirname, '../../src/launch.js')
const folderOfDocuments = resolve(import.meta.dirname, 'documents')

/** A folder of scenarios that `plimsoll init` wrote of a document, with all that it says there. */
export type Imported = Disposable & {
  folder: string
  source: Tree
  clauses: readonly Generated[]
}

/** What a clause came to, as the worst of its scenarios has it. */
export type Outcomes = ReadonlyMap<string, { outcome: string; because: string }>

/** Runs the command line in a folder, signed in. */
async function command(folder: string, words: readonly string[]): Promise<string> {
  const env = { ...process.env, AUTHORIZATION: signedIn.authorization, PLIMSOLL_CONFIG: '' }
  const child = spawn(process.execPath, [launcher, ...words], { cwd: folder, env })
  let [told, complaint] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  const [code] = await once(child, 'close')
  if (![0, 1, 2].includes(code))
    throw new Error(`${words.join(' ')} ended with ${code}: ${complaint}`)
  return told
}

/** Has a stored document imported, as its user would do it. */
export async function imported(name: string): Promise<Imported> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-imported-'))
  const file = `${name}.json`
  cpSync(join(folderOfDocuments, file), join(folder, file))
  const header = `authorization: ${signedIn.authorization}`
  await command(folder, ['init', file, '--target', 'http://127.0.0.1:9', '--header', header])
  const samples = join(folder, 'limits', 'samples.yaml')
  const identities = `identities:\n  limited: ${limited.authorization}\n`
  const ours = readFileSync(samples, 'utf8').replace(/^identities: \{\}\n/m, identities)
  writeFileSync(samples, ours)
  const written = JSON.parse(readFileSync(join(folder, 'limits', 'clauses.json'), 'utf8'))
  return {
    folder,
    source: JSON.parse(readFileSync(join(folder, file), 'utf8')),
    clauses: written.clauses ?? written,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true })
  }
}

/** Without the config file, which says the same and takes a thread to be read. */
const ranSo = ['--no-config', '--scenarios', 'limits', '--target', 'limits/target.json']

/** Runs scenarios of an import against a server of a make, by a document that may be another. */
export async function asked(
  { folder }: Imported,
  { make, document, ids = [] }: { make: Make; document: Tree; ids?: readonly string[] }
): Promise<Outcomes> {
  await using server = await serving(make, document)
  const place = join(folder, 'limits', 'target.json')
  const target = JSON.parse(readFileSync(place, 'utf8'))
  target.endpoints.service.url = server.url
  writeFileSync(place, JSON.stringify(target))
  const told = await command(folder, ['run', ...ids, '--json', ...ranSo])
  const found = new Map<string, { outcome: string; because: string }>()
  for (const { clause, outcome, because } of JSON.parse(told).verdicts) {
    if (found.get(clause)?.outcome !== 'fail') found.set(clause, { outcome, because })
  }
  return found
}

/** The same of a server that is made from the document as it is. */
export const askedHonest = (those: Imported, make: Make, ids: readonly string[] = []) =>
  asked(those, { make, document: inlined(those.source).document, ids })

/** A constraint to be moved: of which clause, and how. */
export type Planned = { clause: Generated; move: Move }

/** Constraints that are moved together, each of another operation. */
export type Round = readonly Planned[]

/** Every way to move every clause that `holds`, as rounds; and the clauses that have none. */
export function roundsOf(
  { clauses, source }: Imported,
  holds: (clause: Generated) => boolean
): { rounds: Round[]; unmoved: Generated[] } {
  const unmoved: Generated[] = []
  const byOperation = Map.groupBy(clauses.filter(holds), ({ section }) => section ?? '')
  const queues = [...byOperation.values()].map((those) =>
    those.flatMap((clause) => {
      const all = movesOf(clause).filter(({ apply }) => apply(inlined(source)))
      if (all.length === 0) unmoved.push(clause)
      return all.map((move): Planned => ({ clause, move }))
    })
  )
  const longest = Math.max(0, ...queues.map((queue) => queue.length))
  const rounds = Array.from({ length: longest }, (_, index) =>
    queues.flatMap((queue) => queue[index] ?? [])
  )
  return { rounds, unmoved }
}

/** What came of one constraint that was moved. */
export type Result = Planned & {
  /** What its clause came to: seen where it fails, or warns. */
  outcome: string
  /** Other clauses of the operation that held, and do no more. */
  fell: string[]
}

const bad = (outcome: string) => outcome === 'fail' || outcome === 'warning'

/** Asks a server in which the constraints of a round are moved. */
export async function askedRound(
  those: Imported,
  given: { make: Make; round: Round; honest: Outcomes; ids?: readonly string[] }
): Promise<Result[]> {
  const { make, round, honest, ids } = given
  const document = moved(
    those.source,
    round.map(({ move }) => move)
  )
  const found = await asked(those, { make, document, ids })
  const sections = new Map(those.clauses.map(({ id, section }) => [id, section]))
  return round.map((planned) => {
    const { id, section } = planned.clause
    const fell = [...found].flatMap(([other, { outcome }]) => {
      const isOwn = other !== id && sections.get(other) === section
      return isOwn && bad(outcome) && !bad(honest.get(other)?.outcome ?? '') ? other : []
    })
    return { ...planned, outcome: found.get(id)?.outcome ?? 'untested', fell }
  })
}

/**
 * Whether no request is taken any more, since the constraint was moved past another one of a value
 * that each needs: that nothing is said then, and nothing passes, is all there is to be seen.
 */
export const isClosed = ({ source }: Imported, { outcome, fell, move }: Result) =>
  outcome === 'blocked' && fell.length === 0 && move.isEmpty?.(source) === true

/** Whether exactly the clause fell whose constraint was moved. */
export const isExact = ({ outcome, fell }: Result) => bad(outcome) && fell.length === 0

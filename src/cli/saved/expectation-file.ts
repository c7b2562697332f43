import { createHash, randomUUID } from 'node:crypto'
import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { ExpectationSource } from '../../report/record.ts'
import { orNearest } from '../../scenario/nearest.ts'
import {
  type Expectations,
  isAbout,
  parseExpectations,
  schemaName
} from '../../verdict/expectation.ts'
import { type Document, openDocument } from '../document.ts'
import { Failure, orFail } from '../failure.ts'
import type { ExpectationFlags } from '../flags/expectation-flags.ts'
import { givenText } from '../given-file.ts'
import { type Contents, claimsIn } from './contents.ts'

/** What a run is held against. */
export type Held = {
  source: ExpectationSource
  expectations: Expectations
  /** What the whole document holds, whatever part of it was run; an old run does not tell. */
  contents?: Contents
}

/** A document's folder with all its scenarios, those that take hours too. */
export function openWhole(scenarios: string | undefined): Promise<Document> {
  return openDocument({ scenarios, ids: [], tier: 'long' })
}

/** What tells one state of an expectation file from another: 64 hexadecimal digits. */
export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Where a file is, seen from the working folder; no report tells more of this machine. */
function shown(file: string): string {
  return relative('.', file).split(sep).join('/')
}

/** Reads what a run shall be held against; a Failure says what is wrong with the file. */
export async function readExpectations(
  file: string,
  flags: Pick<ExpectationFlags, 'strictExpectations' | 'gate'>,
  contents?: Contents
): Promise<Held> {
  if (!existsSync(file)) {
    throw new Failure(
      `--expect ${file}: there is no such file; ` +
        '`plimsoll report --write-expectations FILE` makes one of the latest run'
    )
  }
  const text = givenText(`--expect ${file}`, file)
  const expectations = await orFail(() => parseExpectations(text, file))
  if (contents) demandNames(expectations, file, contents)
  const { strictExpectations: strict, gate } = flags
  const digest = { file: shown(file), sha256: sha256Of(text) }
  return { source: { ...digest, strict, gate, entries: expectations }, expectations, contents }
}

/** What an expectation file says so far: nothing, where there is none. */
export async function expectationsIn(file: string): Promise<Expectations> {
  if (!existsSync(file)) return { schema: schemaName, deviations: [], observations: [] }
  const text = givenText(`--write-expectations ${file}`, file)
  return orFail(() => parseExpectations(text, file))
}

/** Writes an expectation file: whoever reads it meanwhile finds the old or the new one, whole. */
export function writeExpectations(file: string, expectations: Expectations): void {
  const place = existsSync(file) ? realpathSync(file) : file
  const folder = dirname(place)
  if (!existsSync(folder)) throw new Failure(`--write-expectations: there is no folder ${folder}`)
  const draft = join(folder, `.expectations-${randomUUID()}`)
  try {
    writeFileSync(draft, `${JSON.stringify(expectations, null, 2)}\n`, { flush: true })
    renameSync(draft, place)
  } catch (cause) {
    rmSync(draft, { force: true })
    throw new Failure(`--write-expectations: ${(cause as Error).message}`)
  }
}

/** Ends the command when an entry names what the document or its scenarios do not have. */
function demandNames(expectations: Expectations, file: string, contents: Contents): void {
  const claims = claimsIn(contents)
  const scenarios = new Map(contents.plan.map((one) => [one.id, one]))
  // A load that claims no clause goes by its own name.
  const nameless = contents.plan.filter((one) => !one.clauses?.length).map(({ id }) => id)
  const clauses = new Set([...contents.inventory.map(({ id }) => id), ...nameless])
  for (const list of ['deviations', 'observations'] as const) {
    for (const [index, entry] of expectations[list].entries()) {
      const { clause, scenario } = entry
      const wrong = (field: string, what: string, names: Iterable<string>) => {
        const like = orNearest(entry[field as 'clause']!, names)
        return new Failure(`${file}: ${list}.${index}.${field}: ${what}${like}`)
      }
      if (!clauses.has(clause)) throw wrong('clause', `there is no clause "${clause}"`, clauses)
      if (scenario === undefined) continue
      if (!scenarios.has(scenario)) {
        throw wrong('scenario', `there is no scenario "${scenario}"`, scenarios.keys())
      }
      if (scenarios.get(scenario)!.clauses === undefined) continue
      if (claims.some((claim) => isAbout(entry, claim))) continue
      const judges = claims.filter((claim) => claim.clause === clause).map((one) => one.scenario)
      const those = judges.join(', ') || 'no scenario'
      throw new Failure(
        `${file}: ${list}.${index}.scenario: "${scenario}" does not judge ${clause}, ${those} does`
      )
    }
  }
}

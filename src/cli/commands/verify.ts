import { existsSync } from 'node:fs'
import { fileDigest } from '../../file-digest.ts'
import {
  type LimitsFile,
  limitsFile,
  type PublishedClause,
  parseLimits
} from '../../publish/limits-file.ts'
import { isSigned } from '../../publish/signature.ts'
import { oneLine } from '../../report/printable.ts'
import type { Command } from '../command.ts'
import { Failure, orFail } from '../failure.ts'
import { givenBytes, givenText } from '../given-file.ts'
import { readRun, resultsFile } from '../saved/saved-run.ts'

/** Faults that are told one by one. */
const mostTold = 100

type Options = { file: string; key?: string; run?: string; out: string }

/** `plimsoll verify FILE`: are published limits those that were signed, or that a run found? */
export const command: Command<Options> = {
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'The limits.json' })
      .option('key', {
        type: 'string',
        requiresArg: true,
        describe: 'The public Ed25519 key (PEM) of who signed it, as FILE.sig'
      })
      .option('run', {
        type: 'string',
        requiresArg: true,
        describe: 'The run it was drawn from, which is judged again'
      })
      .option('out', { type: 'string', default: 'reports', describe: 'Folder of the runs' })
      .example('$0 verify limits.json --key public.pem', 'was it signed by them, and not changed?')
      .example('$0 verify limits.json --run latest', 'does the evidence still say so?')
      .example('openssl pkey -in key.pem -pubout -out public.pem', 'makes the public key')
      .epilogue('Exit codes: 0 it is as it says, 1 it is not, 64 wrong usage.') as never,
  async handler({ file, key, run, out }) {
    if (key === undefined && run === undefined) {
      throw new Failure('name what to hold it against: --key FILE, --run RUN, or both')
    }
    const content = givenBytes(file, file)
    const limits = await orFail(() => parseLimits(decoded(content, file), file))
    const faults = [
      ...(key === undefined ? [] : await orFail(() => unsigned(file, content, key))),
      ...(run === undefined ? [] : await orFail(() => unlike(limits, resultsFile(run, out))))
    ]
    // What a file says of itself may speak to a terminal, and go on for ever.
    const told = faults.map((fault) => `✘ ${oneLine(fault, 500)}\n`)
    if (faults.length === 0) told.push(`✔ ${oneLine(assurance(limits, { key, run }), 500)}\n`)
    for (const line of told.slice(0, mostTold)) process.stdout.write(line)
    const more = told.length - mostTold
    if (more > 0) process.stdout.write(`and ${more} more like these\n`)
    process.exitCode = faults.length === 0 ? 0 : 1
  }
}

function assurance(limits: LimitsFile, { key, run }: Pick<Options, 'key' | 'run'>): string {
  const { at, by } = limits.verified
  const how = [...(key ? ['signed by this key'] : []), ...(run ? ['what the run found'] : [])]
  return `${limits.clauses.length} clauses, ${how.join(', and ')}: ${by}, ${at}`
}

/** The text that bytes are; other bytes never come to the same one. */
function decoded(content: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    throw new Error(`${file} is not text in UTF-8`)
  }
}

function unsigned(file: string, content: Uint8Array, key: string): string[] {
  const place = `${file}.sig`
  if (!existsSync(place)) return [`there is no signature: ${place} is not there`]
  const known = { pem: givenText(`--key ${key}`, key), file: key }
  if (isSigned(content, givenText(place, place), known)) return []
  return [`${place} is not of this file by this key: one of the three was changed`]
}

/** Where limits differ from what the run comes to that they name. */
function unlike(limits: LimitsFile, file: string): string[] {
  const digest = fileDigest(file)
  if (digest !== limits.verified.run) {
    return [`it was drawn from another run: ${limits.verified.run}, and this is ${digest}`]
  }
  const now = limitsFile(readRun(file), digest)
  const byId = new Map(now.clauses.map((one) => [one.id, one]))
  const changed = limits.clauses.flatMap((one) => differing(one, byId.get(one.id)))
  const listed = Map.groupBy(limits.clauses, ({ id }) => id)
  const twice = [...listed].flatMap(([id, all]) => (all.length > 1 ? `${id} is listed twice` : []))
  const missing = now.clauses
    .filter(({ id }) => !listed.has(id))
    .map(({ id }) => `${id} is missing`)
  return [...differingWhole(limits, now), ...changed, ...twice, ...missing]
}

/** What a file says of the whole of a run: whose limits they are, when, by what, how many. */
function differingWhole(limits: LimitsFile, now: LimitsFile): string[] {
  const { $schema: _, clauses: __, ...said } = limits
  const { clauses: ___, ...found } = now
  return unequal(said, found).map((field) => `${field} is not what the run says`)
}

/** Fields of two objects that are not the same in both. */
function unequal(one: object, other: object): string[] {
  const [left, right] = [one, other].map((all) => new Map(Object.entries(all)))
  const fields = new Set([...left!.keys(), ...right!.keys()])
  return [...fields].filter(
    (field) => JSON.stringify(left!.get(field)) !== JSON.stringify(right!.get(field))
  )
}

function differing(one: PublishedClause, other: PublishedClause | undefined): string[] {
  if (other === undefined) return [`${one.id} is none of the run`]
  return unequal(one, other).map((field) => `${one.id}: ${field} is not what the run found`)
}

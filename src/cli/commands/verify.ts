import { existsSync, readFileSync } from 'node:fs'
import { fileDigest } from '../../file-digest.ts'
import {
  type LimitsFile,
  limitsFile,
  type PublishedClause,
  parseLimits
} from '../../publish/limits-file.ts'
import { isSigned } from '../../publish/signature.ts'
import type { Command } from '../command.ts'
import { Failure, orFail } from '../failure.ts'
import { readRun, resultsFile } from '../saved/saved-run.ts'

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
    const text = await orFail(() => readFileSync(file, 'utf8'))
    const limits = await orFail(() => parseLimits(text, file))
    const faults = [
      ...(key === undefined ? [] : await orFail(() => unsigned(file, text, key))),
      ...(run === undefined ? [] : await orFail(() => unlike(limits, resultsFile(run, out))))
    ]
    for (const fault of faults) process.stdout.write(`✘ ${fault}\n`)
    if (faults.length === 0) process.stdout.write(`✔ ${assurance(limits, { key, run })}\n`)
    process.exitCode = faults.length === 0 ? 0 : 1
  }
}

function assurance(limits: LimitsFile, { key, run }: Pick<Options, 'key' | 'run'>): string {
  const { at, by } = limits.verified
  const how = [...(key ? ['signed by this key'] : []), ...(run ? ['what the run found'] : [])]
  return `${limits.clauses.length} clauses, ${how.join(', and ')}: ${by}, ${at}`
}

function unsigned(file: string, text: string, key: string): string[] {
  const place = `${file}.sig`
  if (!existsSync(place)) return [`there is no signature: ${place} is not there`]
  const known = { pem: readFileSync(key, 'utf8'), file: key }
  if (isSigned(text, readFileSync(place, 'utf8'), known)) return []
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
  const listed = new Set(limits.clauses.map(({ id }) => id))
  const missing = now.clauses
    .filter(({ id }) => !listed.has(id))
    .map(({ id }) => `${id} is missing`)
  return [...changed, ...missing]
}

function differing(one: PublishedClause, other: PublishedClause | undefined): string[] {
  if (other === undefined) return [`${one.id} is none of the run`]
  const fields = new Set([...Object.keys(one), ...Object.keys(other)]) as Set<'id'>
  const wrong = [...fields].filter(
    (field) => JSON.stringify(one[field]) !== JSON.stringify(other[field])
  )
  return wrong.map((field) => `${one.id}: ${field} is not what the run found`)
}

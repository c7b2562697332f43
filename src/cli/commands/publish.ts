import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileDigest } from '../../file-digest.ts'
import { apiCommons } from '../../publish/api-commons.ts'
import { badge } from '../../publish/badge.ts'
import { type LimitsFile, limitsFile } from '../../publish/limits-file.ts'
import { markdown } from '../../publish/markdown.ts'
import { overlay } from '../../publish/overlay.ts'
import {
  leftOut,
  limitsOf,
  namedRatesOf,
  type PublishedLimit,
  ratesOf,
  requestRatesOf
} from '../../publish/rates.ts'
import { signatureOf } from '../../publish/signature.ts'
import { sla4oai } from '../../publish/sla4oai.ts'
import { wellKnown } from '../../publish/well-known.ts'
import type { Command } from '../command.ts'
import { Failure, orFail } from '../failure.ts'
import { givenText } from '../given-file.ts'
import { openFolder } from '../saved/out-folder.ts'
import { readRun, resultsFile } from '../saved/saved-run.ts'
import { writeWhole } from '../saved/whole-file.ts'

/** A form that limits are published in; where it is not said what it holds, all clauses. */
type Form = {
  file: string
  write: (limits: LimitsFile) => string
  held?: (limits: LimitsFile) => PublishedLimit[]
}

const whole = (limits: LimitsFile) => `${JSON.stringify(limits, null, 2)}\n`
const forms = {
  limits: { file: 'limits.json', write: whole },
  markdown: { file: 'limits.md', write: markdown, held: limitsOf },
  badge: { file: 'limits.svg', write: badge },
  openapi: { file: 'limits.overlay.json', write: overlay, held: limitsOf },
  'well-known': { file: 'well-known-limits.json', write: wellKnown, held: requestRatesOf },
  'api-commons': { file: 'rate-limits.json', write: apiCommons, held: namedRatesOf },
  sla4oai: { file: 'sla4oai.json', write: sla4oai, held: ratesOf }
} satisfies Record<string, Form>
type Name = keyof typeof forms
const names = Object.keys(forms) as Name[]

type Options = { run: string; out: string; format: Name[]; to?: string; key?: string }

/** `plimsoll publish RUN`: writes what was verified where others can read it. */
export const command: Command<Options> = {
  builder: (yargs) =>
    yargs
      .positional('run', {
        type: 'string',
        default: 'latest',
        describe: 'A run’s folder, or its name below --out'
      })
      .option('out', { type: 'string', default: 'reports', describe: 'Folder of the runs' })
      .option('format', {
        type: 'string',
        array: true,
        default: ['limits', 'markdown', 'badge'] as Name[],
        coerce: asNames,
        describe: `What to write: ${names.join(', ')}`
      })
      .option('to', {
        type: 'string',
        requiresArg: true,
        defaultDescription: 'the run’s folder',
        describe: 'Folder to write it to'
      })
      .option('key', {
        type: 'string',
        requiresArg: true,
        describe: 'Sign limits.json with this private Ed25519 key (PEM), as limits.json.sig'
      })
      .example('$0 publish --to docs', 'limits.json, a table and a badge of the latest run')
      .example('$0 publish --format well-known,sla4oai', 'for those who read such files')
      .example('openssl genpkey -algorithm ed25519 -out key.pem', 'makes a key')
      .epilogue('Exit codes: 0, or 64 when there is no such run, or no such key.') as never,
  async handler({ run, out, format, to, key }) {
    const file = resultsFile(run, out)
    const limits = await orFail(() => limitsFile(readRun(file), fileDigest(file)))
    if (limits.clauses.length === 0) {
      throw new Failure(`${file} holds no clauses: publish a run of a document`)
    }
    const signature = key === undefined ? undefined : await signed(whole(limits), key)
    if (signature !== undefined && !format.includes('limits')) {
      throw new Failure('--key signs limits.json, so --format has to name limits')
    }
    const folder = to ?? dirname(file)
    openFolder(folder, '--to')
    for (const name of format) {
      const { file: place, write } = forms[name]
      writeWhole(join(folder, place), write(limits))
      process.stdout.write(`${join(folder, place)}: ${heldText(limits, forms[name])}\n`)
    }
    const place = join(folder, 'limits.json.sig')
    if (signature !== undefined) writeWhole(place, `${signature}\n`)
    else if (format.includes('limits') && existsSync(place)) {
      process.stdout.write(`${place} is of an earlier limits.json: sign with --key, or remove it\n`)
    }
  }
}

function asNames(given: string[]): Name[] {
  const wanted = given.flatMap((list) => list.split(','))
  for (const name of wanted) {
    if (names.includes(name as Name)) continue
    throw new Error(`--format ${name} is not known; there are ${names.join(', ')}`)
  }
  return wanted as Name[]
}

function signed(text: string, file: string): Promise<string> {
  return orFail(() => signatureOf(text, { pem: givenText(`--key ${file}`, file), file }))
}

/** What a form holds of the limits, and what is lost in it. */
function heldText(limits: LimitsFile, { held }: Form): string {
  if (held === undefined) return `${limits.clauses.length} clauses`
  const those = held(limits)
  const lost = leftOut(limits, those)
  const end = lost.length > 0 ? `; left out: ${lost.join(', ')}` : ''
  if (held === limitsOf) return `${those.length} limits${end}`
  return `${those.length} of its limits, the rates${end}`
}

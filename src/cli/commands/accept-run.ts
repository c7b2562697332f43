import { existsSync } from 'node:fs'
import { oneLine } from '../../report/printable.ts'
import { type Acceptance, type Merged, merged, unlisted } from '../../verdict/expectation-merge.ts'
import type { Verdict } from '../../verdict/verdict.ts'
import { isDay } from '../../written.ts'
import { Failure } from '../failure.ts'
import type { AcceptFlags } from '../flags/accept-flags.ts'
import { expectationsIn, writeExpectations } from '../saved/expectation-file.ts'

/** Takes a run into an expectation file, and returns in words what became of the file. */
export async function acceptRun(
  file: string,
  verdicts: readonly Verdict[],
  flags: AcceptFlags
): Promise<string> {
  const before = await expectationsIn(file)
  const acceptance = acceptanceIn(flags)
  const fresh = unlisted(before, verdicts)
  if (fresh.length > 0 && acceptance === undefined) {
    const names = fresh.map(({ clause }) => `  ${oneLine(clause)}\n`).join('')
    throw new Failure(
      `${file} accepts none of these yet, and somebody has to answer for that:\n${names}` +
        'Say why with --reason TEXT and how long with --until YYYY-MM-DD.'
    )
  }
  const mode = flags.update ? 'update' : 'add'
  const result = merged(before, verdicts, { acceptance, mode })
  const isSame = JSON.stringify(result.expectations) === JSON.stringify(before)
  // The run is held against the file next: one that accepts nothing is there as well.
  if (!isSame || !existsSync(file)) writeExpectations(file, result.expectations)
  return story(file, result, mode)
}

function acceptanceIn({ reason, until }: AcceptFlags): Acceptance | undefined {
  if (until !== undefined && !isDay(until)) {
    throw new Failure(`--until ${until} is no day; give one such as 2027-03-31`)
  }
  if (until !== undefined && until < new Date().toISOString().slice(0, 10)) {
    throw new Failure(`--until ${until} is over; give the last day on which it is accepted`)
  }
  if (reason?.trim() === '') throw new Failure('--reason says nothing; give it in words')
  return reason !== undefined && until !== undefined ? { reason, until } : undefined
}

function story(file: string, { added, differing }: Merged, mode: 'add' | 'update'): string {
  const { deviations, observations } = added
  const fresh = [counted(deviations, 'deviation'), counted(observations, 'observation')]
  const lines = [`${file}: added ${fresh.join(' and ')}`]
  if (differing.length > 0) {
    const names = differing.map(({ clause }) => `  ${oneLine(clause)}`)
    lines.push(
      mode === 'update'
        ? `brought up to date or dropped, ${differing.length}:`
        : `not as in the file, and kept there as they are, ${differing.length} (see --update):`,
      ...names
    )
  }
  return `${lines.join('\n')}\n`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** How long one call may take in milliseconds, and how long it may then take to save. */
const limits = { callMs: 15 * 60_000, savingMs: 30_000 }

/** What a command came to, as an agent is told. */
export type Called = { text: string; isError: boolean }

/** Characters of an answer: what is longer leaves an agent no room to think. */
const mostText = 60_000
/** Of what a command says for people, its end. */
const mostNotes = 2_000

const meanings: Record<number, string> = {
  0: 'well',
  1: 'a clause fails, or an objective is missed',
  2: 'it cannot be told',
  3: 'the harness or the generator was at fault',
  4: 'nothing was checked',
  64: 'wrong usage',
  77: 'not authorised: a person has to write an entry in the authorisation file',
  130: 'interrupted'
}

type Verdict = Record<'clause' | 'outcome' | 'documented' | 'observed' | 'because', unknown>

/** A report without what passed, and without its evidence, which the run's folder has. */
function briefly(report: Record<string, unknown>): unknown {
  if (!Array.isArray(report.verdicts)) return report
  const verdicts = (report.verdicts as Verdict[])
    .filter(({ outcome }) => outcome !== 'pass')
    .map(({ clause, outcome, documented, observed, because }) => {
      return { clause, outcome, documented, observed, because }
    })
  return { counts: report.counts, folder: report.folder, notPassed: verdicts }
}

function resultOf(stdout: string): unknown {
  try {
    return briefly(JSON.parse(stdout))
  } catch {
    return stdout.slice(0, mostText)
  }
}

function toldOf(code: number, stdout: string, stderr: string): Called {
  const isError = code > 2 && code !== 4
  const notes = isError || stdout === '' ? stderr.slice(-mostNotes) : undefined
  const meaning = meanings[code] ?? 'it ended unexpectedly'
  const told = JSON.stringify({ exit: code, meaning, notes, result: resultOf(stdout) })
  const isLong = told.length > mostText
  return { isError, text: isLong ? `${told.slice(0, mostText)}… (cut short)` : told }
}

/**
 * Carries out commands of this very Plimsoll in a project, each as a process, without a shell and
 * one after another: two loads at once would measure each other.
 */
export function createCalls(
  project: string,
  program = process.argv[1]!,
  { callMs, savingMs } = limits
) {
  let last: Promise<unknown> = Promise.resolve()
  const over = new AbortController()
  const carryOut = async (words: readonly string[], signal: AbortSignal): Promise<Called> => {
    signal.throwIfAborted()
    const child = spawn(process.execPath, [program, ...words], {
      ...{ cwd: project, stdio: ['ignore', 'pipe', 'pipe'] }
    })
    // As Ctrl-C: what was measured by then is saved, and the second ends at once.
    let again: NodeJS.Timeout | undefined
    const stop = () => {
      child.kill('SIGINT')
      again = setTimeout(() => child.kill('SIGINT'), savingMs)
    }
    const limit = AbortSignal.timeout(callMs)
    const ended = AbortSignal.any([signal, limit])
    ended.addEventListener('abort', stop)
    const { promise: closed, resolve } = Promise.withResolvers<number>()
    child.on('close', (code) => resolve(code ?? 130))
    const said = Promise.all([text(child.stdout!), text(child.stderr!)])
    const code = await closed
    const [stdout, stderr] = await said
    ended.removeEventListener('abort', stop)
    clearTimeout(again)
    if (!limit.aborted) return toldOf(code, stdout, stderr)
    const told = `stopped after the ${callMs / 1_000} s that a call may take: ask for less at once`
    return toldOf(code, stdout, `${stderr}\n${told}`)
  }
  return {
    call(words: readonly string[], signal: AbortSignal): Promise<Called> {
      const called = last.then(() => carryOut(words, AbortSignal.any([signal, over.signal])))
      last = called.catch(() => {})
      return called
    },
    /** Stops what goes on, and resolves once it has ended. */
    async end(): Promise<void> {
      over.abort()
      await last
    }
  }
}

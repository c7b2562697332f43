import { check, isOk, KiB, type Reply } from 'plimsoll'
import type { Command } from './_command.ts'
import { series } from './_command.ts'
import { recordsOf } from './_records.ts'
import { versions } from './_version.ts'

const limit = 'limits.console-output'
const truncates = 'limits.console-output.truncates-not-fails'
const most = 128 * KiB
/** What the record of a request may take beside its logs. */
const besidesBytes = 4 * KiB
const headerBytes = 12_000

const log = (text: string, lines: number, level?: string): Command => {
  return { do: 'log', text, repeat: KiB / Buffer.byteLength(text), times: lines, level }
}
const levels = ['debug', 'info', 'warn', 'error']

/** What is sent, what takes room besides logs, and whether it is all answered. */
const tries: { what: string; command: Command; headers?: Record<string, string> }[] = [
  { what: '256 KB of ASCII', command: log('x', 256) },
  {
    what: '60 KB each as debug, info, warn and error',
    command: series(...levels.map((level) => log(level[0]!, 60, level)))
  },
  { what: '256 KB in characters of two bytes', command: log('é', 256) },
  {
    what: '256 KB and two headers of 12 KB',
    command: log('x', 256),
    headers: { 'x-one': 'h'.repeat(headerBytes), 'x-two': 'h'.repeat(headerBytes) }
  },
  {
    what: '120 KB and an exception of 20 KB',
    command: series(log('x', 120), { do: 'throw', message: 'm'.repeat(20 * KiB) })
  },
  {
    what: '256 KB and an exception behind them',
    command: series(log('x', 256), { do: 'throw', message: 'm' })
  }
]

/** The lines a command says; what is thrown is none. */
function linesOf({ do: what, all, text, repeat, times }: Command): string[] {
  if (what === 'series') return (all as Command[]).flatMap(linesOf)
  if (what !== 'log') return []
  return Array(times as number).fill((text as string).repeat(repeat as number))
}

/** Whether lines are as they were said; one may have been cut, and any may be missing. */
function areSaid(lines: readonly string[], command: Command): boolean {
  const said = new Set(linesOf(command))
  const odd = lines.filter((line) => !said.has(line))
  return odd.length <= 1 && odd.every((line) => [...said].some((one) => one.includes(line)))
}

export default check({
  title: 'Of what a request says to the console 128 KB are recorded; more is left out, not refused',
  clauses: [limit, truncates],
  needs: ['edge', 'account', 'deploy', 'invocations'],
  async run(context) {
    const { edge, verify } = context
    const { host, id } = await versions(context, 'standard')
    for (const { what, command, headers } of tries) {
      const count = (await context.adapter.invocations(id)).length + 1
      const reply: Reply = await edge.as(host).post('/', { json: command, headers })
      const records = await recordsOf(context, { probe: { function: id }, count })
      if (records.length < count) continue
      const { logs, exception } = records.at(-1)!
      const lines = logs.map(({ text }) => text)
      const texts = [...lines, exception?.message ?? '']
      const bytes = Buffer.byteLength(texts.join(''))
      const headersBytes = headers ? 2 * headerBytes : 0
      const room = most - headersBytes
      const isMuch = bytes <= room && bytes >= room - 2 * besidesBytes
      const isSaid = areSaid(lines, command)
      const saw = `${what}: ${bytes} bytes are recorded${isSaid ? '' : ', not as they were said'}`
      verify(limit, { holds: isMuch && isSaid, saw }, reply)
      if (command.do !== 'log') continue
      const fate = `${what}: ${reply.because}, ${bytes} bytes are recorded`
      verify(truncates, { holds: isOk(reply) && bytes < 2 * most, saw: fate }, reply)
    }
  }
})

import type { CommandModule } from 'yargs'
import { createClient } from '../client/client.ts'
import { preflight } from '../client/preflight.ts'
import { clock } from '../clock.ts'
import { createCrew } from '../engine/crew.ts'
import { type SoakEnding, soak as soakTarget } from '../engine/soak.ts'
import { createStop, type Stop } from '../engine/stop.ts'
import type { SoakRecord } from '../report/soak-record.ts'
import type { Route } from '../route.ts'
import { trialLoad } from './compare-flags.ts'
import { exit, Failure } from './failure.ts'
import { onInterrupt } from './interrupt.ts'
import { keepLeave, timeIsUp } from './leave.ts'
import { type Permit, permit, permitLoad } from './permit.ts'
import { openSoak, type Soak } from './soak-begin.ts'
import { figuresFrom, insistOnProcess } from './soak-figures.ts'
import { type SoakFlags, soakFlags } from './soak-flags.ts'
import type { SoakJournal } from './soak-journal.ts'
import { concludeSoak, reportSoak, soakExit } from './soak-report.ts'
import { createSoakView } from './soak-view.ts'

type Options = SoakFlags & { url?: string }
type Reading = { figures: ReturnType<typeof figuresFrom>; route: Route }

/** `plimsoll soak URL`: a long load, and whether anything drifts under it. */
export const soak: CommandModule<object, Options> = {
  command: 'soak [url]',
  describe: 'Load a URL for long: does its memory, its latency or anything else drift?',
  builder: (yargs) =>
    soakFlags(yargs.positional('url', { type: 'string', describe: 'The URL' }))
      .example('$0 soak http://127.0.0.1:8080/ -r 100 -d 8h --pid 4711', 'a night at 100 a second')
      .example('$0 soak --resume latest', 'go on where a killed one ended')
      .example('$0 soak --resume latest -d 12h', 'the same for longer, when it could not tell')
      .example(
        '$0 soak http://127.0.0.1:3000/ -r 50 --metrics-url http://127.0.0.1:3000/metrics',
        'the heap, as the target tells it'
      )
      .epilogue(
        'Exit codes: 0 stable, 1 drift, 2 cannot tell, 3 the generator was at fault, ' +
          '130 interrupted: go on with --resume.'
      ) as never,
  async handler(options) {
    insistOnProcess(options)
    let leave: Permit | undefined
    let page: Permit | undefined
    const soak = await openSoak(options, async ({ url, seconds, load }) => {
      leave = await permit(url, { ...options, seconds })
      permitLoad(load, leave)
      const { metricsUrl } = options
      page =
        metricsUrl === undefined ? undefined : await permit(metricsUrl, { ...options, seconds })
      await insistOnAnswer(url, { ...options, ...leave })
    })
    const figures = figuresFrom(options, page?.route)
    process.exitCode = await perform(soak, { ...options, figures, route: leave!.route })
  }
}

/** Ends the command when nobody answers: an hour of that would be an hour lost. */
async function insistOnAnswer(
  url: string,
  { insecure, origin, route }: Options & Permit
): Promise<void> {
  const endpoint = { url: origin, verifyTls: !insecure, route }
  const client = createClient({ endpoint })
  const found = await preflight(client)
  await client.close()
  if (!found.up) throw new Failure(`${url} does not answer: ${found.because}`, 2)
}

async function perform(soak: Soak, options: Options & Reading): Promise<number> {
  const stop = createStop()
  const journal = stopping(soak.journal, stop)
  const view = createSoakView({ ...soak, json: options.json })
  const interrupt = onInterrupt(stop, () => view.note('Stopping; Ctrl-C again ends at once.'))
  const leave = keepLeave([options.route], stop)
  const ended = await carryOut({ ...soak, journal }, options, { stop, onStretch: view.onStretch })
  interrupt.off()
  leave.off()
  view.end()
  if (leave.hasEnded()) view.note(timeIsUp)
  const conclusion = await concludeSoak(journal.folder)
  const isCut = ended === 'interrupted' && interrupt.happened()
  const code = isCut ? exit.interrupted : soakExit(conclusion)
  const { verdict, because } = conclusion
  journal.write({ t: 'verdict', at: new Date().toISOString(), verdict, because, exit: code })
  journal.close()
  await reportSoak(journal.folder, options).catch((cause) => {
    throw journal.failure() ?? cause
  })
  const failure = journal.failure()
  if (failure) throw failure
  return code
}

/** A journal that, where the disk takes no more, ends the soak rather than the command. */
function stopping(journal: SoakJournal, stop: Stop) {
  let failure: Failure | undefined
  return {
    ...journal,
    failure: () => failure,
    write(record: SoakRecord) {
      try {
        if (failure === undefined) journal.write(record)
      } catch (cause) {
        failure = cause as Failure
        stop.request()
      }
    }
  }
}

async function carryOut(
  { journal, header, request, fromSeconds, seconds }: Soak,
  options: Options & Reading,
  { stop, onStretch }: { stop: Stop; onStretch: ReturnType<typeof createSoakView>['onStretch'] }
): Promise<SoakEnding> {
  const { connections, pipelining, timeoutMs, workers, engine, rate } = header.load
  const { stretchSeconds, terms } = header
  const { route, insecure } = options
  const rig = { connections, pipelining, timeoutMs, engine, route, verifyTls: !insecure }
  const crew = createCrew({ workers, targets: [{ ...rig, requests: [request] }], stop })
  try {
    await crew.open(0)
    return await soakTarget({
      ...{ fromSeconds, seconds, stretchSeconds, seed: terms.seed, clock },
      trial: (load, seed) => crew.trial(0, { load, seed }),
      loadFor: trialLoad({ connections, pipelining, rate, timeout: timeoutMs / 1_000 }),
      figures: options.figures,
      stopped: stop.requested,
      keep(stretch, { health }) {
        const at = new Date().toISOString()
        journal.write({ t: 'stretch', at, ...stretch, reasons: health.reasons })
        onStretch(stretch)
      }
    })
  } finally {
    await crew.close()
  }
}

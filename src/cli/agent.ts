import { availableParallelism } from 'node:os'
import type { CommandModule } from 'yargs'
import type { ShareTask } from '../engine/drive.ts'
import { createPool } from '../engine/pool.ts'
import { createStop } from '../engine/stop.ts'
import { durationMs, peak } from '../load/load.ts'
import { originOf } from '../load/request.ts'
import { duration, grouped } from '../report/quantity.ts'
import { orFail } from './failure.ts'
import { onInterrupt } from './interrupt.ts'
import { permit, permitLoad } from './permit.ts'
import { asRedisUrl } from './redis-url.ts'
import { version } from './version.ts'

type Options = { redis: string; workers: number; authorisation: string; json: boolean }
type Told = Pick<ShareTask, 'load' | 'source' | 'share'>

/** `plimsoll agent`: offers this machine to distributed runs. */
export const agent: CommandModule<object, Options> = {
  command: 'agent',
  describe: 'Offer this machine to loads that others send from several machines',
  builder: (yargs) =>
    yargs
      .option('redis', {
        type: 'string',
        default: process.env.PLIMSOLL_REDIS,
        defaultDescription: '$PLIMSOLL_REDIS',
        demandOption: process.env.PLIMSOLL_REDIS === undefined,
        requiresArg: true,
        coerce: asRedisUrl,
        describe: 'The Redis where machines meet: redis://host:6379/0, rediss:// for TLS'
      })
      .option('workers', {
        alias: 'w',
        type: 'number',
        default: Math.max(1, availableParallelism() - 1),
        defaultDescription: 'one less than there are cores',
        coerce: wholeWorkers,
        describe: 'Worker threads to offer'
      })
      .option('authorisation', {
        type: 'string',
        default: 'plimsoll.authorisation.json',
        describe: 'File that names the targets beyond loopback which this machine may load'
      })
      .option('json', {
        type: 'boolean',
        default: false,
        describe: 'One line of JSON on stdout once it is ready, and nothing else there'
      })
      .example('$0 agent --redis redis://10.0.0.5', 'on each machine that is to send')
      .example('$0 load http://10.0.0.9/ -r 50000 --fleet redis://10.0.0.5', 'on any machine')
      .epilogue(
        'It carries out requests, never code. Ctrl-C lets it end what it is at; twice ends it ' +
          'at once. Whoever can write to the Redis can have it send to the targets it may load.'
      ) as never,
  handler: perform
}

function wholeWorkers(value: number): number {
  if (Number.isInteger(value) && value > 0) return value
  throw new Error('--workers must be a whole number from 1')
}

/** Why this machine may not send its part of a load; undefined when it may. */
function objection({ load, source }: Told, authorisation: string): string | undefined {
  if (!('requests' in source)) return 'agents carry out requests, not scenarios'
  const seconds = durationMs(load.phases) / 1_000
  try {
    for (const origin of new Set(source.requests.map(originOf))) {
      permitLoad(load, permit(origin, { authorisation, seconds }))
    }
  } catch (cause) {
    return (cause as Error).message
  }
}

function toldOf({ load, source, share }: Told): string {
  const urls = 'requests' in source ? source.requests.map(({ url }) => url) : []
  const level = load.model === 'open' ? `${grouped(peak(load.phases))}/s` : 'as fast as it answers'
  const lasting = duration(durationMs(load.phases))
  return `part ${share.index + 1} of ${share.count}: ${urls[0]}, ${level}, ${lasting}`
}

async function perform({ redis, workers, authorisation, json }: Options): Promise<void> {
  const { createAgent } = await import('../fleet/agent.ts')
  const pool = createPool({ workers, onQuestion() {} })
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  const { id, leave } = await orFail(
    () =>
      createAgent({
        ...{ url: redis, version, pool },
        approve: (task) => objection(task, authorisation),
        onOrder: (task) => say(toldOf(task))
      }),
    2
  ).catch(async (cause) => {
    await pool.close()
    throw cause
  })
  const stop = createStop()
  onInterrupt(stop, () =>
    say('Leaving when what is under way has ended; Ctrl-C again ends at once.')
  )
  if (json) process.stdout.write(`${JSON.stringify({ agent: id, threads: workers, version })}\n`)
  else say(`${id} offers ${workers} thread${workers === 1 ? '' : 's'}; Ctrl-C to leave`)
  await new Promise((resolve) => stop.signal.addEventListener('abort', resolve))
  await leave()
  await pool.close()
}

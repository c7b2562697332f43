import { availableParallelism } from 'node:os'
import { createSenderThreads } from '../../engine/sender-threads.ts'
import { createStop } from '../../engine/stop.ts'
import type { Command } from '../command.ts'
import { orFail } from '../failure.ts'
import { most, whole } from '../flags/numbers.ts'
import { asRedisUrl } from '../flags/redis-url.ts'
import { onInterrupt } from '../interrupt.ts'
import { scenariosFolder } from '../inventory.ts'
import { demandPackages } from '../optional-packages.ts'
import { acceptPart, partText } from '../senders/accepted-part.ts'
import { createBudgets } from '../senders/budgets.ts'
import { version } from '../version.ts'

type Options = {
  redis: string
  workers: number
  scenarios?: string
  authorisation: string
  json: boolean
}

/** `plimsoll agent`: offers this machine to distributed runs. */
export const command: Command<Options> = {
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
        coerce: whole('workers', most.workers),
        describe: 'Worker threads to offer'
      })
      .option('scenarios', {
        type: 'string',
        describe: 'Folder that holds the scenarios whose loads it takes part in (as for `run`)'
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
        'It is sent requests, never code; of scenarios it has copies of its own. Whoever can ' +
          'write to the Redis can have it send, to targets that it may load. Ctrl-C lets it end ' +
          'what it is at; twice ends it at once.'
      ) as never,
  handler: perform
}

async function perform({ redis, workers, scenarios, authorisation, json }: Options): Promise<void> {
  demandPackages('fleet', 'an agent')
  const { createAgent } = await import('../../fleet/agent.ts')
  const threads = createSenderThreads(workers)
  const budgets = createBudgets()
  const say = (text: string) => void process.stderr.write(`${text}\n`)
  const { id, leave } = await orFail(
    () =>
      createAgent({
        ...{ url: redis, version, workers: threads },
        async adopt(order) {
          const folder = scenariosFolder(scenarios)
          const adopted = await acceptPart(order, { folder, authorisation, budgets })
          say(partText(order))
          return adopted
        }
      }),
    2
  ).catch(async (cause) => {
    await threads.close()
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
  await threads.close()
  // What waits for a Redis that is gone would keep the process for as long.
  process.exit()
}

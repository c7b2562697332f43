import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { Announcement } from '../../platform/platform.ts'
import type { Command } from '../command.ts'
import { Failure, orFail } from '../failure.ts'
import { demandPackages } from '../optional-packages.ts'
import { openFolder } from '../saved/out-folder.ts'

type Options = {
  host: string
  port: number
  data?: string
  repair: boolean
  new: boolean
  yes: boolean
  gateway: string[]
  'allow-egress': string[]
  'log-files'?: string
  break?: string
  json: boolean
}

const exampleNode = 'sepolia=http://127.0.0.1:8545'

/** `plimsoll platform`: the reference platform, in the foreground. */
export const command: Command<Options> = {
  builder: (yargs) =>
    yargs
      .option('host', { type: 'string', default: '127.0.0.1', describe: 'Address to listen on' })
      .option('port', {
        type: 'number',
        default: 8787,
        describe:
          'Port of the management API, 0 for any; the other listeners follow, or say where they are'
      })
      .option('data', { type: 'string', describe: 'Folder to keep data in (default: in memory)' })
      .option('repair', {
        type: 'boolean',
        default: false,
        describe: 'Keep what can be kept of a damaged data folder, and say what is lost'
      })
      .option('new', {
        type: 'boolean',
        default: false,
        describe: 'Move what is in the data folder aside and begin anew, once you have agreed'
      })
      .option('yes', {
        type: 'boolean',
        default: false,
        describe: 'Agree to --new where there is no terminal to ask'
      })
      .option('gateway', {
        type: 'string',
        array: true,
        default: [],
        describe: 'A JSON-RPC node to have behind a network of the gateway: network=URL'
      })
      .option('allow-egress', {
        type: 'string',
        array: true,
        default: [],
        describe:
          'What log push, functions and the gateway may reach beside the Internet: HOST:PORT'
      })
      .option('log-files', {
        type: 'string',
        describe: 'Folder below which log push may write files (default: none)'
      })
      .option('break', {
        type: 'string',
        describe: 'Break it in a known way (see `mutants --list`), or in all: nothing-enforced'
      })
      .option('json', { type: 'boolean', default: false, describe: 'Announce it as one JSON line' })
      .example('$0 platform', 'listens on 8787 to 8790')
      .example('$0 platform --port 0 --json', 'any free ports, for scripts')
      .example('$0 platform --data ./data', 'keeps everything acknowledged, even through a kill -9')
      .example(
        '$0 platform --log-files ./logs --allow-egress 127.0.0.1:9000',
        'log push may write below ./logs and send to port 9000 of this machine'
      )
      .example(
        `$0 platform --gateway ${exampleNode}`,
        'a node of your own instead of the development chain'
      ),
  async handler({ host, port, data, gateway, break: mutant, json, ...ways }) {
    demandPackages('platform', 'the reference platform')
    const { startPlatform } = await import('../../platform/platform.ts')
    if (data !== undefined) openFolder(data, '--data')
    const folder = await wantedFolder({ data, ...ways })
    const options = {
      ...{ host, port, data, folder, gateway: nodesByNetwork(gateway), break: mutant },
      ...{ allowEgress: ways['allow-egress'], logFiles: ways['log-files'] }
    }
    const running = await orFail(() => startPlatform(options))
    const { announcement, moved, losses } = running
    if (ways.repair) process.stderr.write(repaired(losses))
    for (const sentence of moved) process.stderr.write(`${sentence}\n`)
    // Whoever reads that it is up may end it at once.
    const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'].map((signal) => once(process, signal))
    const text = `${introduction(announcement)}\n${keeping(data)}`
    process.stdout.write(json ? `${JSON.stringify(announcement)}\n` : text)
    await Promise.race([...signals, parentGone()])
    await running.close()
    // Listening for its end would keep the process alive.
    process.stdin.destroy()
  }
}

/** What is to be done with the data folder, to which somebody has agreed. */
async function wantedFolder({
  data,
  repair,
  yes,
  ...given
}: Pick<Options, 'data' | 'repair' | 'new' | 'yes'>): Promise<'repair' | 'new' | undefined> {
  if (!repair && !given.new) return undefined
  if (repair && given.new)
    throw new Failure('--repair keeps the folder and --new does not: use one')
  const flag = repair ? '--repair' : '--new'
  if (data === undefined) throw new Failure(`${flag} is about the folder of --data: name it`)
  if (repair) return 'repair'
  if (yes) return 'new'
  if (!process.stdin.isTTY)
    throw new Failure(`--new moves all that is in ${data} aside: agree to it with --yes`)
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await asking.question(
    `Move all that is in ${data} into a folder within, and begin anew? (yes/no) `
  )
  asking.close()
  if (answer.trim() !== 'yes') throw new Failure(`${data} is left as it is`)
  return 'new'
}

function repaired(losses: readonly string[]): string {
  if (losses.length === 0) return 'Nothing had to be repaired.\n'
  return `Repaired:\n${losses.map((loss) => `  - ${loss}\n`).join('')}`
}

function nodesByNetwork(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((pair) => {
      const [, network, address] = /^([a-z0-9-]+)=(https?:.+)$/.exec(pair) ?? []
      if (network && address && URL.canParse(address)) return [network, address]
      throw new Failure(`--gateway is given as network=URL, such as ${exampleNode}, not "${pair}"`)
    })
  )
}

/** Resolves when the process that embeds this one has gone, whose end of stdin closes with it. */
function parentGone(): Promise<unknown> {
  if (process.env.PLIMSOLL_PARENT === undefined) return new Promise(() => {})
  return once(process.stdin.resume(), 'close')
}

function introduction(said: Announcement): string {
  const zones = Object.entries(said.zones)
    .map(([plan, id]) => `  ${plan.padEnd(11)} ${id}  ${said.hosts[plan]}`)
    .join('\n')
  return `The reference platform is up; Ctrl-C ends it.

  management  ${said.management}
  gateway     ${said.gateway}
  edge        ${said.edge}
  control     ${said.control}

Zones
${zones}

For a shell
  export API=${said.management} TOKEN=${said.token}
  export CONTROL=${said.control} CONTROL_TOKEN=${said.controlToken}
  export GATEWAY=${said.gateway} EDGE=${said.edge}
  export ZONE=${said.zones.pro} ZONE_HOST=${said.hosts.pro}

Try
  curl -H "Authorization: Bearer $TOKEN" $API/zones/$ZONE/page_shield
  curl -H "Host: $ZONE_HOST" $EDGE/echo -d hello
`
}

/** What will be there, and the same, after the next start. */
function keeping(data?: string): string {
  return data === undefined
    ? 'Nothing is kept: the tokens are new at each start, unless --data names a folder.\n'
    : `${data} is kept, TOKEN with it; CONTROL_TOKEN is new at each start.\n`
}

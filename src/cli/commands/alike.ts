import type { Argv } from 'yargs'
import { Failure } from '../failure.ts'
import { type PairFlags, trialLoad } from '../flags/compare-flags.ts'
import type { Sides } from '../targets/arms.ts'
import { authoriseUrl, insistOnCaps } from '../targets/authorised-url.ts'

/** Flags that name a target of one's own, which is to be compared with itself. */
export type OwnTargetFlags = { a?: string; aCmd?: string; b?: string; bCmd?: string }

/** Adds them. */
export function ownTargetFlags<Given>(yargs: Argv<Given>): Argv<Given & OwnTargetFlags> {
  return yargs
    .option('a', { type: 'string', describe: 'URL of a target of your own, instead of nothing' })
    .option('a-cmd', {
      type: 'string',
      describe: 'Command that serves it, started for every block'
    })
    .option('b', { type: 'string', describe: 'URL of the same on a second port; else one higher' })
    .option('b-cmd', {
      type: 'string',
      describe: 'The command for that, where the port is not in it'
    })
}

/** The number as a word of its own. */
const word = (port: string) => new RegExp(`(?<!\\d)${port}(?!\\d)`, 'g')

/**
 * Both sides of a target that is compared with itself: it is up twice, the second time on the port
 * given or on the one after the first. Undefined where no target is named. Throws a Failure.
 */
export function ownSides({ a, aCmd, b, bCmd }: OwnTargetFlags): Sides | undefined {
  if (a === undefined && aCmd === undefined && b === undefined && bCmd === undefined) return
  if (a === undefined || aCmd === undefined) {
    throw new Failure('a target of your own takes --a URL and --a-cmd: fresh starts are compared')
  }
  for (const url of [a, b ?? a]) if (!URL.canParse(url)) throw new Failure(`"${url}" is not a URL`)
  const { port } = new URL(a)
  const second = new URL(b ?? a)
  if (b === undefined) second.port = `${Number(port) + 1}`
  const command = bCmd ?? aCmd.replace(word(port), second.port)
  if (port === '' || second.port === port || command === aCmd) {
    throw new Failure(
      'it is up twice at the same time, and its port is not in --a-cmd: give --b and --b-cmd'
    )
  }
  return { a: { url: a, command: aCmd }, b: { url: second.href, command } }
}

/** Both sides with where they lead, if there is leave to send there. Throws a Failure. */
export async function permitted(
  sides: Sides | undefined,
  flags: PairFlags
): Promise<Sides | undefined> {
  if (sides === undefined) return
  const asked = { ...flags, seconds: flags.time }
  const routed = async (side: Sides['a']) => {
    const leave = await authoriseUrl(side.url, asked)
    insistOnCaps(trialLoad(flags)(1), leave)
    return { ...side, route: leave.route }
  }
  return { a: await routed(sides.a), b: await routed(sides.b) }
}

import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Command } from '../command.ts'
import { Failure } from '../failure.ts'
import { demandPackages } from '../optional-packages.ts'

type Options = { project: string; authorisation: string }

/** `plimsoll mcp`: the commands as a server of the Model Context Protocol, over stdio. */
export const command: Command<Options> = {
  builder: (yargs) =>
    yargs
      .option('project', {
        type: 'string',
        default: '.',
        describe: 'Folder that agents work in; files outside are not theirs to name'
      })
      .option('authorisation', {
        type: 'string',
        default: 'plimsoll.authorisation.json',
        describe: 'File that names the targets beyond loopback which agents may test, as it is now'
      })
      .example('claude mcp add plimsoll -- npx plimsoll mcp', 'for one agent')
      .epilogue('It ends when stdin does; what goes on by then is stopped and saved.') as never,
  async handler({ project, authorisation }) {
    demandPackages('mcp', '`plimsoll mcp`')
    const folder = resolve(project)
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new Failure(`--project ${project} is no folder`)
    const { serveMcp } = await import('../mcp/server.ts')
    // An agent that writes files could write itself leave: what counts is what stood there before.
    const own = mkdtempSync(join(tmpdir(), 'plimsoll-mcp-'))
    const held = join(own, 'authorisation.json')
    const given = resolve(folder, authorisation)
    if (existsSync(given)) copyFileSync(given, held)
    try {
      await serveMcp(folder, held)
    } finally {
      rmSync(own, { recursive: true })
    }
  }
}

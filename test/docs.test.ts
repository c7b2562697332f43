import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import yargs from 'yargs'
import { shellWords } from '../src/cli/flags/shell-words.ts'

const root = resolve(import.meta.dirname, '..')
const pages = globSync('{*.md,{ci,docs,src,scenarios,reports,test}/**/*.md}', { cwd: root })
const guides = pages.filter((page) => page.startsWith('docs/'))
const read = (page: string) => readFileSync(join(root, page), 'utf8')

/** A page without what it shows as code. */
const prose = (page: string) => read(page).replace(/^```[\s\S]*?^```/gm, '')

/** What a heading is called in a link, as forges do it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const anchorsOf = (page: string) =>
  [...prose(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!))

test.each(pages)('%s leads nowhere that is not', (page) => {
  const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!)
  const dead = links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false
    const [path, anchor] = link.split('#') as [string, string | undefined]
    const to = path === '' ? page : join(dirname(page), path)
    if (!existsSync(join(root, to))) return true
    return anchor !== undefined && to.endsWith('.md') && !anchorsOf(to).includes(anchor)
  })
  expect(dead).toEqual([])
})

/** The code of a language on a page. */
const blocks = (page: string, language: string) =>
  [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code]) => code!
  )

/** Command lines of Plimsoll on a page, as words without `npx plimsoll`. */
const commandLines = (page: string) =>
  blocks(page, 'sh').flatMap((code) =>
    code
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => line.startsWith('npx plimsoll '))
      .map((line) => shellWords(line.replace(/\$\(.*?\)/g, '1')).slice(2))
  )

describe.each(guides)('%s', (page) => {
  test.each(commandLines(page).map((words) => [words.join(' '), words]))(
    'the command line is one: %s',
    async (_, words) => {
      const { command } = await import(`../src/cli/commands/${words[0]}.ts`)
      const faults: string[] = []
      const parser = yargs(words.slice(1)).strictOptions().exitProcess(false)
      const parsed = command.builder(parser).fail((message: string, cause?: Error) => {
        faults.push(message ?? cause?.message)
      })
      await parsed.parseAsync()
      expect(faults).toEqual([])
    }
  )

  test('ends in a pipeline whose inputs the action has', () => {
    const inputs = Object.keys(parse(read('action.yml')).inputs)
    const jobs = blocks(page, 'yaml').flatMap((code) => Object.values<any>(parse(code).jobs))
    const given = jobs.flatMap(({ steps }) =>
      steps.flatMap(({ uses, with: own }: any) => (/plimsoll/.test(uses) ? Object.keys(own) : []))
    )
    expect(given).toContain('use')
    expect(given.filter((name) => !inputs.includes(name))).toEqual([])
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { operators } from './operators/operators.ts'
import { type Edit, placesIn } from './syntax.ts'

/** One fault in one place of the platform. */
export type Mutation = Edit & {
  /** The same for the same source: file, line, operator and what it makes of it. */
  id: string
  /** From the project's folder, as `src/platform/…`. */
  file: string
  line: number
  operator: string
  /** What stands there. */
  before: string
  /** The whole line that it begins in. */
  lineText: string
}

/** Every fault that the operators make of a source text, in the order of the text. */
export function mutationsOf(text: string, file: string): Mutation[] {
  const known = new Set<string>()
  const lines = text.split('\n')
  return placesIn(text)
    .flatMap((place) =>
      operators.flatMap(({ name, edits }) => edits(place).map((edit) => ({ ...edit, name })))
    )
    .map(({ name, ...edit }) => {
      const line = text.slice(0, edit.start).split('\n').length
      const lineText = lines[line - 1]!
      const before = text.slice(edit.start, edit.end)
      const id = `${file}:${edit.start}-${edit.end} ${name} ${edit.after}`
      return { id, file, line, lineText, operator: name, before, ...edit }
    })
    .filter(({ start, end, after }) => {
      const same = `${start}-${end} ${after}`
      return !known.has(same) && known.add(same)
    })
}

/** A source text with the fault in it. */
export function mutated(text: string, { start, end, after }: Edit): string {
  return text.slice(0, start) + after + text.slice(end)
}

/** The part of the platform that a file is of; what stands above all parts is the kernel's. */
export function partOf(file: string): string {
  const [, , part, inner] = file.split('/')
  return inner === undefined ? 'kernel' : part!
}

/** What is a list of faults itself, and is not looked at by a platform without one. */
const isAside = (file: string) => /(^|\/)(mutants?|unenforced)(\/|\.ts$)/.test(file)

/** Every fault of the platform, file by file. */
export function allMutations(root: string): Mutation[] {
  const folder = join(root, 'src/platform')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => relative(root, join(folder, name)))
    .filter((file) => file.endsWith('.ts') && !isAside(file))
    .sort()
    .flatMap((file) => mutationsOf(readFileSync(join(root, file), 'utf8'), file))
}

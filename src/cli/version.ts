import { existsSync, readFileSync } from 'node:fs'

// Two levels up in the repository, three in the packed package.
const file = ['../../package.json', '../../../package.json']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url))!

const manifest = JSON.parse(readFileSync(file, 'utf8'))

/** This package's version. */
export const version: string = manifest.version

/** Exact versions, by name, of the packages that Plimsoll is developed with. */
export const madeWith: Record<string, string> = manifest.devDependencies

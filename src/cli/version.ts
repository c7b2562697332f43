import { existsSync, readFileSync } from 'node:fs'

// Two levels up in the repository, three in the packed package.
const manifest = ['../../package.json', '../../../package.json']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url))!

/** This package's version. */
export const version: string = JSON.parse(readFileSync(manifest, 'utf8')).version

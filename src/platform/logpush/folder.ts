import { constants, mkdirSync } from 'node:fs'
import { mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

/** Makes the folder that all others lie below; throws when it cannot be one. */
export function makeRoot(root: string) {
  try {
    mkdirSync(root, { recursive: true })
  } catch (error) {
    throw new Error(`--log-files ${root} is not a folder: ${(error as Error).message}`)
  }
}

/** Why a folder is neither `root` nor below it, by its path; undefined when it is. */
export function outsideOf(root: string, folder: string): string | undefined {
  const way = relative(resolve(root), resolve(folder))
  const isOutside = way === '..' || way.startsWith(`..${sep}`)
  return isOutside ? `must be a folder below ${resolve(root)}, the one of --log-files` : undefined
}

/**
 * Writes a file into `root` or a folder below, which is made where the one above it is there. The
 * file is written under another name first, so that one with its name is always whole. Links are
 * followed as long as they stay below `root`.
 */
export async function saveBelow(
  root: string,
  { folder, name }: { folder: string; name: string },
  content: Buffer
) {
  const told = outsideOf(root, folder)
  if (told !== undefined) throw new Error(told)
  const top = await realpath(root)
  const isTop = resolve(folder) === resolve(root)
  const file = join(isTop ? top : await madeBelow(top, folder), name)
  const part = `${file}.part`
  try {
    await write(part, content)
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** A folder by its real path, which is looked at before it is made and again after. */
async function madeBelow(top: string, folder: string): Promise<string> {
  const made = join(await realpath(dirname(folder)), basename(folder))
  refuseOutside(top, made)
  await mkdir(made).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  const place = await realpath(made)
  refuseOutside(top, place)
  return place
}

/** A link in the place of the file is not followed, wherever it leads. */
async function write(file: string, content: Buffer) {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  const handle = await open(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o666)
  try {
    await handle.writeFile(content)
  } finally {
    await handle.close()
  }
}

function refuseOutside(top: string, place: string) {
  if (outsideOf(top, place)) throw new Error(`a link leads to ${place}, which is not below ${top}`)
}

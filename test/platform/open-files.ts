import { readdirSync, readlinkSync } from 'node:fs'

/** The files below a folder that this process has open. */
export function filesOpenIn(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.startsWith(`${folder}/`) ? path : []
    } catch {
      // It was open while the folder was read, by whoever read it.
      return []
    }
  })
}

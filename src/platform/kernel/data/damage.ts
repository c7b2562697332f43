import { resolve } from 'node:path'

/** Why a data folder is not opened: what is wrong with it, and what can be done. */
export class Damage extends Error {
  readonly findings: readonly string[]
  constructor(folder: string, findings: readonly string[], { isBeyondRepair = false } = {}) {
    const list = findings.map((finding) => `  - ${finding}`).join('\n')
    const said = isBeyondRepair ? 'cannot be repaired' : 'is damaged'
    super(`the data folder ${resolve(folder)} ${said}, and was left as it is:
${list}
${isBeyondRepair ? beyondRepair : reparable}`)
    this.findings = findings
  }
}

/** Why a data folder is not opened by a second platform. */
export function inUse(folder: string): Error {
  return new Error(`another platform is using the data folder ${folder}`)
}

const beyondRepair = `Bring back what is missing if it is elsewhere, or start once more with
  --new     to move all of it into a folder beside, and begin anew`

const reparable = `Bring back what is missing if it is elsewhere, or start once more with
  --repair  to keep what is there and be told what is lost; a copy is made first
  --new     to move all of it into a folder beside, and begin anew`

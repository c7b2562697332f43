import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { behaviours } from '../bench/hostile/behaviours.ts'
import { commands } from '../bench/hostile/command.ts'
import { writeDocument } from '../bench/hostile/document.ts'
import { trial } from '../bench/hostile/trial.ts'

const seed = Number(process.env.PLIMSOLL_SEED ?? 1)
const document = writeDocument()

/** Three behaviours by chance, others for each command. */
function drawn(name: string) {
  const chance = random(seed, `hostile ${name}`)
  const placed = behaviours.map((behaviour) => ({ behaviour, place: chance() }))
  return placed.sort((one, other) => one.place - other.place).slice(0, 3)
}

// The whole of it is `npm run bench:hostile`.
test.concurrent.for(commands.map((command) => [command.name, command] as const))(
  `%s against hostile servers, seed ${seed}`,
  { timeout: 300_000 },
  async ([, command]) => {
    for (const { behaviour } of drawn(command.name)) {
      const { wrong, output } = await trial(behaviour, command, document)
      expect(wrong, `${behaviour.name}:\n${output}`).toEqual([])
    }
  }
)

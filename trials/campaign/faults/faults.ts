import { copyOfProject } from '#tools/faults/copyOfProject.ts'
import { FAULTS } from '#tools/faults/faults.ts'
import { find } from '#tools/faults/find.ts'
import { areaOf, type Fault, wordsOf } from '#tools/faults/lists/fault.ts'
import { plant } from '#tools/faults/plant.ts'
import { oneOf, roundsOf, words } from '../../frame/options.ts'
import { describeCampaign } from '../../frame/trial.ts'

const AREAS = [...new Set(FAULTS.map(areaOf))].sort()

export const faults = describeCampaign({
  name: 'faults',
  proves: 'The tests that are written down with each fault find it, when it is planted into a copy of the project.',
  options: {
    ...roundsOf(FAULTS.length, 'faults, in an order by the seed'),
    only: words('faults with these words in their name or file'),
    foundIn: oneOf(AREAS, 'faults that tests of one area find'),
  },
  brief: { rounds: 3, foundIn: 'domain' },
  async run(run) {
    const { only, foundIn } = run.options
    const chosen = FAULTS.filter(
      (fault) => `${fault.name} ${fault.file}`.includes(only) && (foundIn === '' || areaOf(fault) === foundIn),
    )
    const order = new Map(chosen.map((fault) => [fault, run.chance(fault.name)]))
    const shuffled = chosen.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0))
    const root = copyOfProject(run.folder)
    for (const round of run.rounds()) {
      const fault = shuffled[round]
      if (fault === undefined) break
      const complaint = await tried(root, fault)
      if (complaint !== undefined) run.wrong(complaint)
    }
  },
})

/** @returns what is wrong with the fault, or with the tests */
async function tried(root: string, fault: Fault): Promise<string | undefined> {
  const beganAt = performance.now()
  let takeOut: () => void
  try {
    takeOut = plant(root, fault)
  } catch (error) {
    return (error as Error).message
  }
  try {
    const by = await find(root, fault)
    const seconds = ((performance.now() - beganAt) / 1000).toFixed(0)
    console.log(`${by === undefined ? 'NOT FOUND' : 'found    '} ${seconds.padStart(4)} s  ${fault.name}`)
    if (by !== undefined) console.log(`${' '.repeat(18)}by: ${by}`)
    return by === undefined ? `"${fault.name}" is not found by ${fault.foundBy.map(wordsOf).join(', ')}.` : undefined
  } finally {
    takeOut()
  }
}

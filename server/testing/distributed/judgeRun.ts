import { dirname } from 'node:path'
import { knock } from '../database/databaseRequests.ts'
import { KEPT_DAYS } from '../database/keptDays.ts'
import { recordedStatements, shapeOf } from '../database/statementRecord.ts'
import { KNOWN_OFFENCES } from './knownOffences.ts'
import { mayConcernWorkers, openLawDatabase } from './lawDatabase.ts'
import { singleStatements } from './statementTree.ts'

/**
 * Judges all statements that a run of tests sent (decision 347). A whole run also shows which known offences are gone.
 *
 * @throws Error that names each statement which could not run where rows lie on workers, and each entry without one
 */
export async function judgeRun(door: string, isWholeRun: boolean): Promise<void> {
  const sent = recordedStatements(dirname(door)).flatMap(singleStatements).filter(mayConcernWorkers)
  if (sent.length === 0) return
  const made = await knock(door, { make: 'migrated', keptDays: KEPT_DAYS })
  if (!made) throw new Error('The database for reading statements was not made.')
  const law = await openLawDatabase(made.ownerUrl)
  const left = new Set(KNOWN_OFFENCES)
  const wrong: string[] = []
  for (const statement of new Map(sent.map((each) => [shapeOf(each), each])).values()) {
    const plain = statement.replaceAll(/\s+/g, ' ').trim()
    // Tests send what is wrong on purpose, and read tables of their own.
    for (const offence of (await law.judge(statement).catch(() => [])) ?? []) {
      const known = KNOWN_OFFENCES.find((one) => one.offence === offence && plain.includes(one.statement))
      if (known) left.delete(known)
      else wrong.push(`It ${offence}: ${plain}`)
    }
  }
  await law.end()
  if (isWholeRun) for (const { offence, statement } of left) wrong.push(`No longer ${offence}: ${statement}`)
  if (wrong.length === 0) return
  throw new Error(
    `With rows on workers these would fail (docs/decisions/database/0347, server/testing/distributed/knownOffences.ts):\n${wrong.join('\n')}`,
  )
}

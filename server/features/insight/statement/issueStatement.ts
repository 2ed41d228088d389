import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { LightStatement } from '#contract/http/insight/lightStatements.ts'
import { tagKey } from '#domain/devices/tags.ts'
import type { UserId } from '#domain/ids.ts'
import { missingDevices, type StatementChange, statementChanges } from '#domain/statement/statementChanges.ts'
import { numberText } from '#domain/statement/statementText.ts'
import type { Given } from '#server/features/feature.ts'
import type { AuditedThing, Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { composeStatement, type StatementQuestion } from './composeStatement.ts'
import type { DocumentHead } from './document/statementPdf.ts'
import {
  type ChosenDevices,
  findStanding,
  type IssuedWhole,
  insertIssued,
  takeNumber,
} from './issuedStatements.store.ts'

export type IssueDeps = Pick<Given, 'pool' | 'db' | 'clock' | 'addresses'>

export const chosenOf = ({ tag, place, deviceId }: StatementQuestion): ChosenDevices => ({
  ...{ tag: tag ? tagKey(tag) : '', place: place?.toLowerCase() ?? '', deviceId: deviceId ?? 0 },
})

export const missingOf = (issued: IssuedWhole | undefined, statement: LightStatement): readonly string[] =>
  issued ? missingDevices(issued.content, statement) : []

export const changesOf = (issued: IssuedWhole | undefined, statement: LightStatement): readonly StatementChange[] =>
  issued ? statementChanges(issued.content, statement) : []

/** The library that writes documents is loaded with the first of them, because most processes write none. */
export async function documentOf(
  { addresses }: Pick<Given, 'addresses'>,
  statement: LightStatement,
  head: DocumentHead,
): Promise<Readable> {
  const { statementPdf } = await import('./document/statementPdf.ts')
  return statementPdf(statement, head, addresses().httpUrl)
}

interface Issuer {
  readonly by: UserId
  /** Writes the audit row of it, in the same transaction. */
  readonly note: (transaction: Tx, thing: AuditedThing) => Promise<void>
}

/**
 * Issues a statement, or the correction of the one that stands.
 *
 * @throws CallError `invalid_request` when the month is not over, nothing counted, nothing differs, or a device is missing
 */
export async function issueStatement(
  deps: IssueDeps,
  question: StatementQuestion,
  { by, note }: Issuer,
): Promise<number> {
  const { db, clock } = deps
  const { customerId, month } = question
  const now = clock.now()
  const content = await composeStatement(deps, question, now)
  if (!content.isOver) throw new CallError('invalid_request', 'month: It is not over yet for every device.')
  if (content.devices.length === 0) throw new CallError('invalid_request', 'month: No device counted in it.')
  const chosen = chosenOf(question)
  return db.transaction().execute(async (transaction) => {
    const number = await takeNumber(transaction, customerId)
    const standing = await findStanding(transaction, { customerId, month, chosen })
    const changes = changesOf(standing, content)
    const [missing] = missingOf(standing, content)
    if (missing !== undefined)
      throw new CallError('invalid_request', `month: ${missing} counts no more, and no correction takes a device out.`)
    if (standing && changes.length === 0) {
      const words = `month: Nothing differs from statement ${numberText(customerId, standing.number)}.`
      throw new CallError('invalid_request', words)
    }
    const corrects = standing ? numberText(customerId, standing.number) : undefined
    const head = { number: numberText(customerId, number), issuedAt: now, corrects, changes }
    const pdf = await buffer(await documentOf(deps, content, head))
    const toIssue = { number, chosen, correctsId: standing?.id ?? null, issuedAt: now, issuedBy: by }
    const id = await insertIssued(transaction, { ...toIssue, content, changes, pdf })
    await note(transaction, {
      ...{ id, name: head.number, customerId, isNew: true },
      details: `${content.subject}, ${month}${corrects ? `, corrects ${corrects}` : ''}`,
    })
    return id
  })
}

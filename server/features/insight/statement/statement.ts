import {
  downloadLightStatement,
  draftLightStatement,
  getIssuedStatement,
  getLightStatement,
  type IssuedHead,
  issueLightStatement,
  listLightStatements,
  setStatementTerms,
} from '#contract/http/insight/lightStatements.ts'
import { type StatementTerms, termsProblem } from '#domain/statement/statementTerms.ts'
import { numberText } from '#domain/statement/statementText.ts'
import type { Given } from '#server/features/feature.ts'
import { readCustomerName, requireCustomer } from '#server/fleet/customerLookup.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { safeFileName } from '#server/http/call/fileName.ts'
import { type ChangeRecord, pdfRoute, route } from '#server/http/call/route.ts'
import { composeStatement, type StatementQuestion } from './composeStatement.ts'
import { findIssued, findStanding, type IssuedRow, listIssued, readDocument } from './issuedStatements.store.ts'
import { changesOf, chosenOf, documentOf, issueStatement, missingOf } from './issueStatement.ts'
import { readTerms, writeTerms } from './statementRows.store.ts'

type Deps = Pick<Given, 'pool' | 'db' | 'clock' | 'addresses'>

/** Light statements: what was owed and given in a month, as figures, as a document, and as it was issued. */
export function statementsFeature(deps: Deps) {
  const { db, clock } = deps
  const asked = async (question: StatementQuestion, caller: Caller) => {
    await requireCustomer(db, question.customerId, scopeOf(caller))
    return composeStatement(deps, question, clock.now())
  }
  return {
    routes: [
      route(getLightStatement, async ({ query, caller }) => {
        const statement = await asked(query, caller)
        const issued = await findStanding(db, { ...query, chosen: chosenOf(query) })
        const [changes, missing] = [[...changesOf(issued, statement)], [...missingOf(issued, statement)]]
        return { statement, issued: issued ? headOf(issued) : null, changes, missing }
      }),
      route(listLightStatements, async ({ query: { customerId }, caller }) => {
        await requireCustomer(db, customerId, scopeOf(caller))
        return (await listIssued(db, customerId)).map(headOf)
      }),
      route(getIssuedStatement, async ({ query, caller }) => {
        const issued = await foundRow(findIssued(db, scopeOf(caller), query.id))
        return { ...headOf(issued), statement: issued.content, changes: [...issued.changes] }
      }),
      pdfRoute(downloadLightStatement, async ({ query, caller }) => {
        const { pdf, number, customerId, month } = await foundRow(readDocument(db, scopeOf(caller), query.id))
        return { fileName: `Light statement ${numberText(customerId, number)} ${month}.pdf`, pdf }
      }),
      pdfRoute(draftLightStatement, async ({ query, caller }) => {
        const statement = await asked(query, caller)
        const fileName = `Light statement ${safeFileName(statement.customerName)} ${statement.month} draft.pdf`
        return { fileName, pdf: await documentOf(deps, statement, { changes: [] }) }
      }),
      route(issueLightStatement, ({ body, caller, change }) => issue(deps, body, caller, change)),
      route(setStatementTerms, ({ body, caller, change }) => setTerms(deps, body, caller, change)),
    ],
  }
}

function headOf({ number, customerId, issuedAt, corrects, correctedBy, ...row }: IssuedRow): IssuedHead {
  const named = (one: number | null) => (one === null ? null : numberText(customerId, one))
  const { id, customerName, subject, month, issuedBy } = row
  return {
    ...{ id, customerId, customerName, subject, month, issuedBy, issuedAt: issuedAt.toISOString() },
    ...{ number: numberText(customerId, number), corrects: named(corrects), correctedBy: named(correctedBy) },
  }
}

async function issue(deps: Deps, question: StatementQuestion, caller: Caller, change: ChangeRecord): Promise<number> {
  const { customerId } = question
  change.about({ customerId, id: customerId })
  await requireCustomer(deps.db, customerId, scopeOf(caller))
  return issueStatement(deps, question, { by: caller.userId, note: change.done })
}

async function setTerms(
  { db }: Deps,
  {
    customerId,
    terms,
  }: { readonly customerId: StatementQuestion['customerId']; readonly terms: StatementTerms | null },
  caller: Caller,
  change: ChangeRecord,
): Promise<true> {
  change.about({ customerId, id: customerId })
  await requireCustomer(db, customerId, scopeOf(caller))
  const problem = terms && termsProblem(terms)
  if (problem) throw new CallError('invalid_request', `terms: ${problem}`)
  const name = (await readCustomerName(db, customerId)) ?? ''
  await db.transaction().execute(async (transaction) => {
    const before = await readTerms(transaction, customerId)
    await writeTerms(transaction, customerId, terms)
    const details = terms === null ? 'Terms removed' : 'Terms'
    await change.done(transaction, {
      id: customerId,
      name,
      customerId,
      details,
      before: { terms: before },
      after: { terms },
    })
  })
  return true
}

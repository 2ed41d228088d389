import type { ReadBodyOf } from '#contract/call/call.ts'
import { getStatementMailing, setStatementMailing } from '#contract/http/insight/statementMailings.ts'
import { monthAfter } from '#domain/statement/months.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import { EMAIL_ADDRESS } from '#domain/validation/emailAddress.ts'
import type { Feature, Given } from '#server/features/feature.ts'
import { readCustomerName, requireCustomer } from '#server/fleet/customerLookup.ts'
import { insertAuditRow } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { type ChangeRecord, route } from '#server/http/call/route.ts'
import { createJobRinger } from '#server/jobs/JobBells.ts'
import type { Job } from '#server/jobs/JobRunner.ts'
import { MAILS_JOB } from '#server/mail/mailQueue.ts'
import { mailboxKey } from '#server/mail/sending/mailer.ts'
import { chosenOf, issueStatement } from '../issueStatement.ts'
import { mailingPages } from './mailingPages.ts'
import {
  type DueMailing,
  deleteMailing,
  findStandingId,
  queueStatement,
  readDueMailings,
  readMailing,
  writeMailing,
} from './mailings.store.ts'
import { statementMailSource } from './statementMails.ts'

type Deps = Pick<Given, 'pool' | 'db' | 'clock' | 'addresses'>

/** Light statements by e-mail, every month, to addresses that have confirmed (rules/statements 14). */
export function statementMailingFeature(deps: Deps): Feature {
  const { db, pool } = deps
  const onMail = createJobRinger(pool, MAILS_JOB)
  return {
    routes: [
      route(getStatementMailing, async ({ query, caller }) => {
        await requireCustomer(db, query.customerId, scopeOf(caller))
        return readMailing(db, { customerId: query.customerId, chosen: chosenOf({ ...query, month: '' }) })
      }),
      route(setStatementMailing, async ({ body, caller, change }) => {
        await setMailing(deps, body, caller, change)
        onMail()
        return true as const
      }),
    ],
    openPages: mailingPages(deps),
    jobs: [statementMailingsJob(deps, onMail)],
    mailSources: [statementMailSource(deps)],
  }
}

async function setMailing(
  { db, clock }: Deps,
  { day, recipients, ...question }: ReadBodyOf<typeof setStatementMailing>,
  caller: Caller,
  change: ChangeRecord,
): Promise<void> {
  const { customerId } = question
  change.about({ customerId, id: customerId })
  await requireCustomer(db, customerId, scopeOf(caller))
  const wrong = recipients.find((email) => !EMAIL_ADDRESS.test(email))
  if (wrong !== undefined) throw new CallError('invalid_request', `recipients: ${wrong} is no e-mail address.`)
  const byMailbox = new Map(recipients.map((email) => [mailboxKey(email), email]))
  const chosen = chosenOf({ ...question, month: '' })
  const name = (await readCustomerName(db, customerId)) ?? ''
  await db.transaction().execute(async (transaction) => {
    const before = await readMailing(transaction, { customerId, chosen })
    const toMail = { customerId, chosen, recipients: [...byMailbox.values()], setBy: caller.userId, now: clock.now() }
    if (day === null) await deleteMailing(transaction, { customerId, chosen })
    else await writeMailing(transaction, { ...toMail, day })
    const details = day === null ? 'Mailing ended' : 'Mailing'
    const mailed = (one: { readonly day: number | null; readonly recipients: readonly object[] }) => ({
      mailing: { day: one.day, recipients: one.recipients.length },
    })
    const after = { day, recipients: day === null ? [] : toMail.recipients.map((email) => ({ email })) }
    await change.done(transaction, {
      ...{ id: customerId, name, customerId, details },
      ...{ before: mailed(before), after: mailed(after) },
    })
  })
}

/** It issues what is due and queues it for whoever has not got it; a correction is another statement, so it is sent too. */
const statementMailingsJob = (deps: Deps, onMail: () => void): Job => ({
  name: 'statement mailings',
  everyMs: HOUR_MS,
  async run(_, now, stopped) {
    const month = monthAfter(now.toISOString().slice(0, 7), -1)
    let queued = 0
    for (const mailing of await readDueMailings(deps.db, now.getUTCDate())) {
      if (stopped.aborted) break
      const id = await issuedId(deps, mailing, month)
      if (id !== undefined) queued += await queueStatement(deps.db, mailing.id, id, now)
    }
    if (queued > 0) onMail()
  },
})

/** A month that is not over everywhere, or without devices, is tried again in an hour. */
async function issuedId(deps: Deps, mailing: DueMailing, month: string): Promise<number | undefined> {
  const { customerId, chosen, setBy, setByName: username } = mailing
  const { tag, place, deviceId } = chosen
  const standing = await findStandingId(deps.db, mailing, month)
  if (standing !== undefined) return standing
  const narrowed = { ...(tag && { tag }), ...(place && { place }), ...(deviceId && { deviceId }) }
  try {
    return await issueStatement(deps, { customerId, month, ...narrowed } as never, {
      by: setBy,
      note: async (transaction, thing) => {
        const change = { action: 'Create', entity: 'Light statement' } as const
        const author = { userId: setBy, username, address: '' }
        await insertAuditRow(transaction, { change, call: 'statement mailings', outcome: 'done', author, thing })
      },
    })
  } catch (error) {
    if (error instanceof CallError) return undefined
    throw error
  }
}

import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { lineValue, momentValue } from '#contract/call/values.ts'
import { subjectFields } from './lightStatements.ts'

export const MOST_STATEMENT_RECIPIENTS = 20
export const LAST_MAILING_DAY = 28
const LONGEST_ADDRESS = 254

const dayValue = z.int().min(1).max(LAST_MAILING_DAY)

const mailing = z.object({
  /** The day of the month (UTC) from which on the statement of the month before is issued and sent; null for never. */
  day: dayValue.nullable(),
  recipients: z.array(
    z.object({
      email: z.string(),
      /** Null until the address has confirmed; until then it gets no statement. */
      confirmedAt: momentValue.nullable(),
      /** The number of the newest statement that was sent there. */
      newest: z.string().nullable(),
      newestSentAt: momentValue.nullable(),
    }),
  ),
})
export type StatementMailing = z.output<typeof mailing>

export const getStatementMailing = call({
  method: 'GET',
  path: 'LightStatement/GetMailing',
  summary: 'On which day of the month the statement on these devices is mailed, and to whom.',
  permission: 'sendStatements',
  shows: ['Light statement'],
  query: z.strictObject(subjectFields),
  answer: mailing,
  errors: ['not_found'],
})

export const setStatementMailing = call({
  method: 'POST',
  path: 'LightStatement/SetMailing',
  summary:
    'Issue and mail the statement on these devices every month; null ends it. New addresses are asked to confirm, and get nothing before.',
  permission: 'sendStatements',
  body: z.strictObject({
    ...subjectFields,
    day: dayValue.nullable(),
    recipients: z.array(lineValue(LONGEST_ADDRESS).min(1)).max(MOST_STATEMENT_RECIPIENTS),
  }),
  answer: z.literal(true),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'Light statement' },
})

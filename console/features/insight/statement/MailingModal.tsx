import { Modal, Select, Textarea } from '@mantine/core'
import { useCall } from '#console/lib/call/useCall.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import type { QueryOf } from '#contract/call/call.ts'
import {
  getStatementMailing,
  LAST_MAILING_DAY,
  type StatementMailing,
  setStatementMailing,
} from '#contract/http/insight/statementMailings.ts'

type Subject = QueryOf<typeof getStatementMailing>

interface Props {
  readonly subject: Subject
  /** The customer and the devices, in words. */
  readonly about: string
  readonly onClose: () => void
}

const WIDTH_PX = 480
const titleOf = (about: string) => `Mail every month: ${about}`
const NEVER = 'never'
const DAYS = [
  { value: NEVER, label: 'Never' },
  ...Array.from({ length: LAST_MAILING_DAY }, (_, index) => ({
    value: String(index + 1),
    label: `On day ${index + 1} of the month`,
  })),
]

/** It sets when the statement on these devices is mailed, and to whom. */
export function MailingModal({ subject, about, onClose }: Props) {
  const mailing = useCall(getStatementMailing, subject)
  if (mailing.data) return <MailingForm {...{ subject, about, onClose }} now={mailing.data} />
  return (
    <Modal opened onClose={onClose} title={titleOf(about)} size={WIDTH_PX}>
      <AsyncView query={mailing}>{() => null}</AsyncView>
    </Modal>
  )
}

function MailingForm({ subject, about, now, onClose }: Props & { readonly now: StatementMailing }) {
  const { field, submit, isBusy } = useCallForm(setStatementMailing, {
    labels: { day: 'Send', recipients: 'Recipients' },
    initial: {
      day: now.day === null ? NEVER : String(now.day),
      recipients: now.recipients.map(({ email }) => email).join('\n'),
    },
    content: ({ day, recipients }) => ({
      ...{ ...subject, day: day === NEVER ? null : Number(day) },
      recipients: recipients.split(/[\s,;]+/).filter(Boolean),
    }),
    saved: 'Mailing saved',
    onSaved: onClose,
  })
  return (
    <FormModal title={titleOf(about)} size={WIDTH_PX} onSubmit={submit} isBusy={isBusy} onClose={onClose}>
      <Select
        {...field('day')}
        data={DAYS}
        allowDeselect={false}
        description="From then on the statement of the month before is issued and sent"
      />
      <Textarea
        {...field('recipients')}
        rows={4}
        resize="vertical"
        description="An address a line. Each gets a link to confirm first, and nothing before"
        data-autofocus
      />
      {now.recipients.length > 0 && (
        <ul className="statement-recipients" aria-label="Who gets it">
          {now.recipients.map(({ email, confirmedAt, newest, newestSentAt }) => (
            <li key={email}>
              {email}: {confirmedAt === null ? 'has not confirmed' : `confirmed ${formatMinute(confirmedAt)}`}
              {newest !== null && newestSentAt !== null && `, got ${newest} on ${formatMinute(newestSentAt)}`}
            </li>
          ))}
        </ul>
      )}
    </FormModal>
  )
}

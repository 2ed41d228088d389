import { IconAlertCircle, IconDownload, IconFileTypePdf, IconListCheck, IconMail } from '@tabler/icons-react'
import { useState } from 'react'
import { download } from '#console/lib/call/download.ts'
import { saveJson } from '#console/lib/call/saveJson.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useConfirmedChange } from '#console/lib/confirmAndChange.ts'
import { useMay } from '#console/lib/session/session.ts'
import { formatMinute } from '#console/lib/time/time.ts'
import { OfCustomer, useShownCustomer } from '#console/pickers/shownCustomer.tsx'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { useAddress } from '#console/router/useAddress.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { AuditItem } from '#console/ui/menu/AuditItem.tsx'
import { MenuItem } from '#console/ui/menu/MenuItem.tsx'
import { NoticeBox } from '#console/ui/NoticeBox.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { ListExportMenu } from '#console/ui/table/ListExportMenu.tsx'
import { AUDIT_ENTITY_IDS } from '#contract/call/call.ts'
import { listAudit } from '#contract/http/insight/auditLog.ts'
import {
  draftLightStatement,
  getIssuedStatement,
  getLightStatement,
  type IssuedHead,
  issueLightStatement,
  type LightStatement,
  type StatementNow,
} from '#contract/http/insight/lightStatements.ts'
import { getStatementMailing } from '#contract/http/insight/statementMailings.ts'
import type { CustomerId } from '#domain/ids.ts'
import { monthText } from '#domain/statement/statementText.ts'
import { ChangesNote } from './ChangesNote.tsx'
import { IssuedStatements } from './IssuedStatements.tsx'
import { StatementFilters, thisMonth } from './StatementFilters.tsx'
import { StatementView } from './StatementView.tsx'
import { STATEMENT_CSV_COLUMNS, statementCsvRows } from './statementCsv.ts'
import './statement.css'

const TermsModal = lazyDialog(() => import('./TermsModal.tsx').then((part) => part.TermsModal))

const MailingModal = lazyDialog(() => import('./MailingModal.tsx').then((part) => part.MailingModal))

const AT = '/light-statements'

export function LightStatementsScreen() {
  const { values, unread, change } = useAddress(AT)
  const shownCustomer = useShownCustomer(values.customerId)
  const { customerId } = shownCustomer
  const month = values.month ?? thisMonth(-1)
  const question = {
    ...{ customerId: customerId as CustomerId, month },
    ...(values.tag && { tag: values.tag }),
    ...(values.place && { place: values.place }),
    ...(values.deviceId && { deviceId: values.deviceId }),
  }
  const now = useCall(getLightStatement, question, { enabled: customerId !== undefined, keepsPrevious: true })
  const issued = useCall(
    getIssuedStatement,
    { id: values.shown as number },
    { enabled: values.shown !== undefined, keepsPrevious: true },
  )
  const isIssued = values.shown !== undefined
  return (
    <Screen
      title="Light statements"
      unread={unread}
      actions={now.data && !isIssued && <Actions now={now.data} question={question} />}
    >
      <StatementFilters
        {...{ values, month, customerId, change }}
        isLoading={now.isFetching}
        onReload={() => void now.refetch()}
      />
      {isIssued ? (
        <AsyncView query={issued}>
          {(one) => (
            <>
              <IssuedNote issued={one} onBack={() => change({ shown: undefined })} />
              <ChangesNote title={`What ${one.number} changes of ${one.corrects}`} changes={one.changes} />
              <StatementView statement={one.statement} />
            </>
          )}
        </AsyncView>
      ) : (
        <OfCustomer
          shown={shownCustomer}
          later="Add a customer and its devices. From then on their light is counted here by month."
        >
          <AsyncView query={now}>
            {({ statement, issued: standing, changes, missing }) => (
              <>
                {standing && missing.length > 0 && (
                  <NoticeBox icon={IconAlertCircle}>
                    {missing.join(', ')} {missing.length === 1 ? 'counts' : 'count'} no more: deleted, not Paired, or no
                    longer chosen. {standing.number} stands as it was issued, because no correction takes a device out.
                  </NoticeBox>
                )}
                {standing && changes.length > 0 && (
                  <ChangesNote
                    title={`What differs from ${standing.number} since it was issued`}
                    changes={changes}
                    isOpen
                  />
                )}
                <StatementView statement={statement} />
              </>
            )}
          </AsyncView>
        </OfCustomer>
      )}
      {customerId !== undefined && <IssuedStatements customerId={customerId} />}
    </Screen>
  )
}

interface IssuedNoteProps {
  readonly issued: IssuedHead
  readonly onBack: () => void
}

function IssuedNote({ issued: { id, number, issuedAt, issuedBy, correctedBy }, onBack }: IssuedNoteProps) {
  const mayAudit = useMay(listAudit.permission)
  return (
    <NoticeBox icon={IconAlertCircle}>
      Statement {number}, as it was issued.
      {correctedBy && ` It was corrected by ${correctedBy}.`} Issued {formatMinute(issuedAt)} by {issuedBy}.{' '}
      {mayAudit && (
        <>
          <Link to={address('/audit-log', { entityTypeId: AUDIT_ENTITY_IDS['Light statement'], entityId: id })}>
            Audit log
          </Link>{' '}
        </>
      )}
      <button type="button" className="statement-back" onClick={onBack}>
        Show present figures
      </button>
    </NoticeBox>
  )
}

interface ActionsProps {
  readonly now: StatementNow
  readonly question: Parameters<typeof useCall<typeof getLightStatement>>[1]
}

function Actions({ now: { statement, issued, changes, missing }, question }: ActionsProps) {
  const mayIssue = useMay(issueLightStatement.permission)
  const maySend = useMay(getStatementMailing.permission)
  const [open, setOpen] = useState<'terms' | 'mailing'>()
  const { confirm, isBusy } = useConfirmedChange(issueLightStatement)
  const mayCorrect = changes.length > 0 && missing.length === 0
  const mayBeIssued = statement.isOver && statement.devices.length > 0 && (issued === null || mayCorrect)
  const save = () =>
    void download(draftLightStatement, { query: question }, 'Light statement.pdf').catch(toasts.failure)
  const name = `lightStatement_${statement.customerId}_${statement.month}`
  return (
    <>
      {mayIssue && mayBeIssued && (
        <ActionButton
          icon={IconListCheck}
          isMain
          loading={isBusy}
          onClick={() => void confirm({ body: question }, wordsOf(statement, issued?.number))}
        >
          {issued ? 'Issue correction' : 'Issue statement'}
        </ActionButton>
      )}
      <ActionButton icon={IconFileTypePdf} onClick={save}>
        Draft (PDF)
      </ActionButton>
      <ListExportMenu
        name={name}
        label="light statement"
        columns={STATEMENT_CSV_COLUMNS}
        batches={() => statementCsvRows(statement)}
        more={
          <>
            <MenuItem icon={IconDownload} onClick={() => saveJson(name, statement)}>
              Export (json)
            </MenuItem>
            {mayIssue && (
              <MenuItem icon={IconListCheck} onClick={() => setOpen('terms')}>
                Target and credits
              </MenuItem>
            )}
            <AuditItem of="Light statement" />
            {maySend && (
              <MenuItem icon={IconMail} onClick={() => setOpen('mailing')}>
                Mail every month
              </MenuItem>
            )}
          </>
        }
      />
      {open === 'terms' && <TermsModal statement={statement} onClose={() => setOpen(undefined)} />}
      {open === 'mailing' && (
        <MailingModal
          subject={subjectOf(question)}
          about={`${statement.customerName}, ${statement.subject.toLowerCase()}`}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

/** A mailing is of these devices, whatever the month. */
const subjectOf = ({ month: _, ...subject }: ActionsProps['question']) => subject

function wordsOf({ customerName, month, subject }: LightStatement, corrected: string | undefined) {
  const about = `${customerName}, ${monthText(month)}, ${subject.toLowerCase()}`
  return {
    title: corrected ? 'Issue correction' : 'Issue statement',
    text: corrected
      ? `${about}. The correction gets a number of its own and says what differs from ${corrected}, which stays as it is.`
      : `${about}. It gets a number and stays as it is now. Later readings can only be added by a correction.`,
    done: corrected ? 'Correction issued' : 'Statement issued',
  }
}

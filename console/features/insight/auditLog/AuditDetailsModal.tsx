import { Modal } from '@mantine/core'
import { auditedFields } from '#console/lib/audit/auditChanges.ts'
import { isRefused, notAppliedText } from '#console/lib/audit/settingLabels.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { Fact } from '#console/ui/records/Fact.tsx'
import type { ErrorCode } from '#contract/errorCodes.ts'
import { ERRORS } from '#contract/errors.ts'
import type { AuditEntry } from '#contract/http/insight/auditLog.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

interface Props {
  readonly entry: AuditEntry | undefined
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function AuditDetailsModal({ entry, isOpen, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Audit entry" size={620}>
      {entry && (
        <>
          <Facts entry={entry} />
          <Changes entry={entry} />
        </>
      )}
    </Modal>
  )
}

function Facts({ entry }: { readonly entry: AuditEntry }) {
  const facts: readonly (readonly [string, string])[] = [
    ['Timestamp', formatDateTime(entry.inserted)],
    ['Action', `${entry.actionName} · ${entry.entityTypeName}`],
    ['Name', `${entry.entityName || UNKNOWN_TEXT}${entry.entityId === null ? '' : ` (id ${entry.entityId})`}`],
    ['User', entry.username || UNKNOWN_TEXT],
    ['From', entry.address || UNKNOWN_TEXT],
    ['By', entry.call],
    ['Outcome', outcomeText(entry)],
    ['Details', entry.details || UNKNOWN_TEXT],
  ]
  return (
    <dl className="audit-facts">
      {facts.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  )
}

function outcomeText(entry: AuditEntry): string {
  if (entry.outcome !== 'done') return `Refused: ${refusalText(entry.outcome)}`
  return isRefused(entry) ? 'Refused by the device' : (notAppliedText(entry) ?? 'Done')
}

/** Entries of other times may have codes that are used no more. */
const refusalText = (code: string) => (code in ERRORS ? ERRORS[code as ErrorCode].message : code)

function Changes({ entry }: { readonly entry: AuditEntry }) {
  const fields = auditedFields(entry)
  if (fields.length === 0) return <p className="audit-nothing">Nothing was recorded before or after.</p>
  return (
    <div className="table-scroll audit-changes">
      <table className="table" aria-label="Before and after">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, before, after, isChanged }) => (
            <tr key={name} data-changed={isChanged || undefined}>
              <th scope="row">{name}</th>
              <td>{before ?? UNKNOWN_TEXT}</td>
              <td>{after ?? UNKNOWN_TEXT}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

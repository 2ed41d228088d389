import { detailsOf } from '#console/lib/audit/auditChanges.ts'
import type { AuditEntry } from '#contract/http/audit.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import './AuditDetails.css'

/** What an entry of the audit log tells beside its names, and first of all whether it was refused. */
export function AuditDetails({ entry }: { readonly entry: AuditEntry }) {
  return (
    <>
      {entry.outcome !== 'done' && <span className="audit-refused">Refused</span>}
      {detailsOf(entry) || UNKNOWN_TEXT}
    </>
  )
}

import { detailsOf } from '#console/lib/audit/auditChanges.ts'
import { isRefused, notAppliedText } from '#console/lib/audit/settingLabels.ts'
import type { AuditEntry } from '#contract/http/insight/auditLog.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import './AuditDetails.css'

export function AuditDetails({ entry }: { readonly entry: AuditEntry }) {
  const notApplied = notAppliedText(entry)
  return (
    <>
      {isRefused(entry) && <span className="audit-refused">Refused</span>}
      {notApplied !== undefined && <span className="audit-refused">{notApplied}</span>}
      {detailsOf(entry) || UNKNOWN_TEXT}
    </>
  )
}
